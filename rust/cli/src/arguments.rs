//! What can be asked for on the command line.

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use std::path::PathBuf;

/// Differentially private releases of tables, from a budget in a ledger.
///
/// A schema says what columns a table has and whom it is about. A budget is opened once. A question, in SQL or as a
/// plan, is priced without data; a release is charged before data are read, and comes with a certificate.
#[derive(Parser)]
#[command(name = "indistinct", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// How results are written
    #[arg(long, value_enum, global = true, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// How results are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
    /// Tables alone, for spreadsheets: texts that begin as formulas do have an apostrophe before them, and control
    /// characters are escapes
    Csv,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write a schema to begin with
    Init(InitArguments),
    /// How the cells of a CSV file are read: exact, so for a curator, who may see the data, and for nobody else
    InspectPrivate(InspectPrivateArguments),
    /// Look at plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// What a question would cost, and how exact its answer would be; no data are opened
    Price(PriceArguments),
    /// Answer a question, and pay for it
    #[command(visible_alias = "sql")]
    Release(ReleaseArguments),
    /// Accounts and what they may spend
    #[command(subcommand)]
    Budget(BudgetCommand),
    /// What a ledger has written down
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// What can be shown of a release to those who do not see the data
    #[command(subcommand)]
    Certificate(CertificateCommand),
    /// How far noise of a scale may be from 0
    Accuracy(AccuracyArguments),
    /// One guarantee in the terms of another, and noise for a guarantee
    #[command(subcommand)]
    Accounting(AccountingCommand),
    /// A release, or what an account has spent, as a page for a browser
    Report(ReportArguments),
    /// Completions for a shell, to be sourced
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Manual pages, one for each command
    Man {
        /// The folder that they are written to
        folder: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct InitArguments {
    /// The file to write
    #[arg(default_value = "schema.toml")]
    pub(crate) file: PathBuf,
    /// The name of the table
    #[arg(long, default_value = "table")]
    pub(crate) table: String,
    /// A CSV or Parquet file that anybody may see, with the columns of the private one: never the private one itself
    #[arg(long)]
    pub(crate) public_sample: Option<PathBuf>,
    /// Metadata of tables in SmartNoise's YAML
    #[arg(long, conflicts_with_all = ["public_sample", "table"])]
    pub(crate) smartnoise: Option<PathBuf>,
    /// The column of the sample that says whose row it is; without it, the schema is refused until it names one
    #[arg(long, requires = "public_sample")]
    pub(crate) individuals: Option<String>,
    /// How many rows of the sample are read, from the first one on
    #[arg(long, default_value_t = 1000)]
    pub(crate) rows: usize,
    /// What stands between cells
    #[arg(long, default_value = ",")]
    pub(crate) delimiter: char,
    /// How texts are written as bytes: utf-8, latin-1 or windows-1252
    #[arg(long, default_value = "utf-8")]
    pub(crate) encoding: String,
}

#[derive(Args)]
pub(crate) struct InspectPrivateArguments {
    /// The schema
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// The table, if the schema has several
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// The table's CSV file, if the schema does not name it
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum PlanCommand {
    /// Whether a plan can be built
    Check {
        /// A plan, in TOML or JSON
        plan: PathBuf,
    },
    /// Every step with its map and the level of its proof
    Explain {
        /// A plan, in TOML or JSON
        plan: PathBuf,
        /// How many rows or individuals are protected together
        #[arg(long, default_value_t = 1)]
        units: u32,
    },
    /// The SHA-256 of a plan: the same for equal plans
    Hash {
        /// A plan, in TOML or JSON
        plan: PathBuf,
    },
    /// The plan of a measurement that OpenDP 0.16 has written (`opendp.mod.serialize`), in TOML
    FromOpendp {
        /// Its JSON
        measurement: PathBuf,
        /// The name of the column that it is about, where it does not select one
        #[arg(long, default_value = "value")]
        column: String,
    },
    /// Whether two plans are one, and the lines in which they differ
    Diff {
        /// A plan
        first: PathBuf,
        /// Another one
        second: PathBuf,
    },
}

/// A question, and who asks it.
#[derive(Args, Default)]
pub(crate) struct QuestionArguments {
    /// The question, in SQL: SELECT region, COUNT(*) FROM stays GROUP BY region
    #[arg(required_unless_present = "plan", conflicts_with = "plan")]
    pub(crate) sql: Option<String>,
    /// The question, as a plan in TOML or JSON
    #[arg(long)]
    pub(crate) plan: Option<PathBuf>,
    /// The table that a plan is about
    #[arg(long, requires = "plan")]
    pub(crate) table: Option<String>,
    /// What to spend on a question in SQL: epsilon=0.5, rho=0.1, epsilon=1,delta=1e-6, or rest for all that is left
    #[arg(long, required_unless_present_any = ["plan", "within"], conflicts_with_all = ["plan", "within"])]
    pub(crate) spend: Option<String>,
    /// Spend the least with which every count and sum is within this of what it would be without noise
    #[arg(long, conflicts_with = "plan")]
    pub(crate) within: Option<f64>,
    /// The most rows of each individual that count, in each group if the number of groups is said, too; 1 by default:
    /// COUNT(*) then counts individuals
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_rows_per_individual: Option<u32>,
    /// The most groups in which each individual counts; COUNT(DISTINCT id) counts each in 1 group by default
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_groups_per_individual: Option<u32>,
    /// How often an interval may fail
    #[arg(long, default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// The tables and whom they are about
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// The ledger
    #[arg(long, default_value = "budget.ledger")]
    pub(crate) ledger: PathBuf,
    /// The account that pays; the only one, if there is one
    #[arg(long)]
    pub(crate) account: Option<String>,
}

#[derive(Args)]
pub(crate) struct PriceArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// Show every step, too, with its map and the level of its proof
    #[arg(long)]
    pub(crate) steps: bool,
}

#[derive(Args)]
pub(crate) struct ReleaseArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// A name for the release: the same name again gives the same release, free
    #[arg(long)]
    pub(crate) name: String,
    /// The table's rows, a CSV or Parquet file of any size; the schema's file, if nothing is said
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// About how much memory rows may take, in MiB; those of individuals that do not fit go to temporary files
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = value_parser!(u64).range(64..1 << 40))]
    pub(crate) memory: u64,
    /// The folder for temporary files, which hold rows as they are; the folder of the data, if nothing is said
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// What the release is for, as its certificate and page say
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) purpose: String,
    /// Pay without being asked
    #[arg(long)]
    pub(crate) yes: bool,
    /// Write the certificate to a file
    #[arg(long)]
    pub(crate) certificate: Option<PathBuf>,
    /// Write what was released, of which the certificate has the hash
    #[arg(long)]
    pub(crate) results: Option<PathBuf>,
    /// Write a page for a browser
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite files that are there, but never the data, the ledger or the schema
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Subcommand)]
pub(crate) enum BudgetCommand {
    /// A new ledger with a budget for all that is ever released of some data
    Open {
        /// A name for the data
        name: String,
        /// The budget: epsilon=1, rho=0.5, or epsilon=1,delta=1e-6
        #[arg(long)]
        budget: String,
        /// The ledger's file, which must not exist
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// A part of a budget: for a team, or an analyst
    AddAccount {
        /// A name for the account
        name: String,
        /// The account that it is a part of
        #[arg(long)]
        parent: String,
        /// What it may spend at most, if there is as much left above
        #[arg(long)]
        budget: String,
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Accounts for parts of a table, of one value in a column each: a row is in one part, so all of them cost what one
    /// does
    Partition {
        /// Each account with its value: north=North
        #[arg(required = true)]
        parts: Vec<String>,
        /// The table
        #[arg(long)]
        table: String,
        /// The column
        #[arg(long)]
        column: String,
        /// The account that pays
        #[arg(long)]
        account: String,
        /// What each part may spend, and what they cost together
        #[arg(long)]
        budget: String,
        /// The tables and whom they are about: the unit has to be one row added or removed
        #[arg(long, default_value = "schema.toml")]
        schema: PathBuf,
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Nothing more is paid from an account, or from those below it
    Close {
        /// The account
        name: String,
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// What accounts may spend, have spent, and have left
    Show {
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Whether everything in the ledger follows from its entries; prints its head, to be kept elsewhere
    Verify {
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
        /// A head that was saved earlier, which detects a ledger that was restored from an old copy
        #[arg(long)]
        expected_head: Option<String>,
    },
    /// Copy a ledger, also while releases are made from it; verifies the copy and prints its head
    ///
    /// Nothing can be charged to the copy: `ledger restore` makes a ledger of it.
    Backup {
        /// The copy, a file that does not exist yet
        to: PathBuf,
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Make a ledger of a backup, if the ledger itself is lost; prints its head
    ///
    /// Charges that were made after the backup are not in it, and can be spent again.
    Restore {
        /// The backup
        backup: PathBuf,
        /// The new ledger, a file that does not exist yet
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// The entries of all accounts, or of one
    Export {
        /// The ledger
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
        /// The account
        #[arg(long)]
        account: Option<String>,
    },
}

#[derive(Subcommand)]
pub(crate) enum CertificateCommand {
    /// Print a certificate in words
    Show {
        /// A certificate
        certificate: PathBuf,
    },
    /// Verify a certificate without the data
    Verify {
        /// A certificate
        certificate: PathBuf,
        /// What was released; without it, the numbers are not compared
        #[arg(long)]
        results: Option<PathBuf>,
        /// The ledger that paid; without it, what only a ledger knows is not checked
        #[arg(long)]
        ledger: Option<PathBuf>,
    },
    /// The entry for the public registry of deployments
    Registry {
        /// A certificate
        certificate: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct AccuracyArguments {
    /// The distribution of the noise
    #[arg(value_enum)]
    pub(crate) noise: Noise,
    /// Its scale
    #[arg(long)]
    pub(crate) scale: f64,
    /// How often noise may be greater
    #[arg(long, default_value_t = 0.05)]
    pub(crate) alpha: f64,
}

/// A distribution of noise.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Noise {
    /// On floats
    Laplace,
    /// On floats
    Gaussian,
    /// On integers, as counts are
    DiscreteLaplace,
    /// On integers, as counts are
    DiscreteGaussian,
}

#[derive(Subcommand)]
pub(crate) enum AccountingCommand {
    /// The epsilon that a rho costs at a delta
    Convert {
        /// The rho of zero-concentrated differential privacy
        #[arg(long)]
        rho: f64,
        /// The delta
        #[arg(long)]
        delta: f64,
    },
    /// Releases of one epsilon each, composed: the least epsilon at a delta
    Compose {
        /// The epsilon of each release
        #[arg(long)]
        epsilon: f64,
        /// How many there are
        #[arg(long)]
        times: u32,
        /// The delta
        #[arg(long)]
        delta: f64,
    },
    /// The least Gaussian noise for an epsilon and a delta
    Calibrate {
        /// The epsilon
        #[arg(long)]
        epsilon: f64,
        /// The delta
        #[arg(long)]
        delta: f64,
        /// How far apart, in Euclidean distance, what the noise is added to may be
        #[arg(long, default_value_t = 1.0)]
        sensitivity: f64,
    },
    /// What a guarantee says at every epsilon, of every test, and at every order of Renyi divergences: upper bounds
    Curves(CurvesArguments),
}

#[derive(Args)]
pub(crate) struct CurvesArguments {
    /// The guarantee: epsilon=1, epsilon=1,delta=1e-6, rho=0.5, or mu=0.5 of Gaussian differential privacy
    #[arg(required_unless_present = "plan", conflicts_with = "plan")]
    pub(crate) guarantee: Option<String>,
    /// That of one release by a plan, in TOML or JSON
    #[arg(long)]
    pub(crate) plan: Option<PathBuf>,
    /// How many rows or individuals a plan protects together
    #[arg(long, default_value_t = 1, conflicts_with = "guarantee")]
    pub(crate) units: u32,
    /// Write a page for a browser
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite a page that is there
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// The question that was released, in SQL, for its table; without it, the numbers are listed as they were released
    #[arg(requires = "certificate", requires = "spend")]
    pub(crate) sql: Option<String>,
    /// What was spent on the question, as it was said then
    #[arg(long, requires = "sql")]
    pub(crate) spend: Option<String>,
    /// How many rows of each individual counted, if that was said then
    #[arg(long, requires = "sql", value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_rows_per_individual: Option<u32>,
    /// In how many groups each individual counted, if that was said then
    #[arg(long, requires = "sql", value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_groups_per_individual: Option<u32>,
    /// The tables and whom they are about, for a question
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// A certificate
    #[arg(long, required_unless_present = "ledger", requires = "results")]
    pub(crate) certificate: Option<PathBuf>,
    /// How often its intervals fail; as the certificate says, if nothing is said
    #[arg(long, requires = "certificate")]
    pub(crate) alpha: Option<f64>,
    /// What was released, as `release --results` wrote it: the certificate must be of it
    #[arg(long, requires = "certificate")]
    pub(crate) results: Option<PathBuf>,
    /// A ledger, in place of a release: what was spent after each of its releases
    #[arg(long, conflicts_with = "certificate")]
    pub(crate) ledger: Option<PathBuf>,
    /// The account of the ledger; the one that is part of no other, if nothing is said
    #[arg(long, requires = "ledger")]
    pub(crate) account: Option<String>,
    /// The page
    #[arg(long)]
    pub(crate) html: PathBuf,
    /// Overwrite a page that is there
    #[arg(long)]
    pub(crate) force: bool,
}
