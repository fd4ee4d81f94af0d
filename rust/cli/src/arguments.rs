//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use indistinct_numeric::read_float;
use std::path::{Path, PathBuf};

/// Parses a number. A number that does not fit a float is an error, not an infinity or 0.
fn number(text: &str) -> Result<f64, String> {
    read_float(text).ok_or_else(|| "must be a number that fits a 64-bit float".into())
}

/// Differentially private releases of tables, from a budget in a ledger.
///
/// A schema declares a table's columns and its privacy unit. A budget is opened once, in a ledger. `price` shows what a
/// question would cost without opening the data. `release` charges the budget, reads the data and writes a certificate.
#[derive(Parser)]
#[command(name = "indistinct", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Output format
    #[arg(long, value_enum, global = true, default_value_t = Format::Text)]
    pub(crate) format: Format,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// An example with its output, which a test compares.
macro_rules! example {
    ($file:literal) => {
        concat!("Example, in the folder examples/data:\n\n", include_str!($file))
    };
}

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables and sentences for people
    Text,
    /// JSON for programs
    Json,
    /// CSV tables for spreadsheets; texts that start like formulas get a leading apostrophe, and control characters are
    /// escaped
    Csv,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write a first schema, to be corrected by hand
    Init(InitArguments),
    /// Print exact, private counts of how a file's cells are read: only for curators, who may see the data
    InspectPrivate(InspectPrivateArguments),
    /// Check, explain, hash, convert and compare plans
    #[command(subcommand)]
    Plan(PlanCommand),
    /// Show the cost of a question and the accuracy of its answer, without opening the data
    #[command(after_long_help = example!("help/price.txt"))]
    Price(PriceArguments),
    /// Charge the budget and release the answer to a question
    #[command(visible_alias = "sql", after_long_help = example!("help/release.txt"))]
    Release(ReleaseArguments),
    /// Open budgets and accounts, and show what they have spent
    #[command(subcommand)]
    Budget(BudgetCommand),
    /// Verify, back up, restore or export a ledger
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Show or verify the certificate of a release
    #[command(subcommand)]
    Certificate(CertificateCommand),
    /// Show how large noise of a given scale can be
    ///
    /// The result is rounded up to three digits; `--format json` prints all digits.
    Accuracy(AccuracyArguments),
    /// Convert and compose privacy guarantees, and calibrate noise to them
    ///
    /// Results are rounded to three digits, so that the guarantee still holds; `--format json` prints all digits.
    #[command(subcommand, after_long_help = example!("help/accounting.txt"))]
    Accounting(AccountingCommand),
    /// Write an HTML page about a release, or about an account's spending
    Report(ReportArguments),
    /// Print completions for a shell
    Completions {
        /// Name of the shell
        shell: Shell,
    },
    /// Write manual pages, one for each command
    Man {
        /// Folder to write the pages to
        folder: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct InitArguments {
    /// Schema file to write
    #[arg(default_value = "schema.toml")]
    pub(crate) file: PathBuf,
    /// Name of the table
    #[arg(long, default_value = "table")]
    pub(crate) table: String,
    /// Public CSV, Parquet or Arrow IPC file with the same columns as the private one; never the private file itself
    #[arg(long)]
    pub(crate) public_sample: Option<PathBuf>,
    /// SmartNoise metadata (YAML) to convert into a schema
    #[arg(long, conflicts_with_all = ["public_sample", "table"])]
    pub(crate) smartnoise: Option<PathBuf>,
    /// Column of the sample that identifies individuals; without it, commands refuse the schema until it names one
    #[arg(long, requires = "public_sample")]
    pub(crate) individuals: Option<String>,
    /// Number of rows to read from the start of the sample
    #[arg(long, default_value_t = 1000)]
    pub(crate) rows: usize,
    /// Character that separates cells
    #[arg(long, default_value = ",")]
    pub(crate) delimiter: char,
    /// Text encoding of the sample: utf-8, utf-16, utf-16be, latin-1 or windows-1252
    #[arg(long, default_value = "utf-8")]
    pub(crate) encoding: String,
}

#[derive(Args)]
pub(crate) struct InspectPrivateArguments {
    /// Schema file
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// Name of the table; needed only if the schema has several
    #[arg(long)]
    pub(crate) table: Option<String>,
    /// CSV or Parquet file of the table, if the schema does not name one
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Subcommand)]
pub(crate) enum PlanCommand {
    /// Check that a plan can be built
    Check {
        /// Plan, in TOML or JSON
        plan: PathBuf,
    },
    /// Explain every step of a plan: its privacy map and the level of its proof
    Explain {
        /// Plan, in TOML or JSON
        plan: PathBuf,
        /// Number of rows or individuals protected together (group size)
        #[arg(long, default_value_t = 1)]
        units: u32,
    },
    /// Print the SHA-256 of a plan; equal plans have equal hashes
    Hash {
        /// Plan, in TOML or JSON
        plan: PathBuf,
    },
    /// Convert a measurement serialized by OpenDP 0.16 (`opendp.mod.serialize`) into a plan in TOML
    FromOpendp {
        /// JSON file of the measurement
        measurement: PathBuf,
        /// Column that the measurement reads; used only if the measurement does not select a column
        #[arg(long, default_value = "value")]
        column: String,
    },
    /// Compare two plans and print the lines that differ
    Diff {
        /// First plan
        first: PathBuf,
        /// Second plan
        second: PathBuf,
    },
}

/// A question, and who asks it.
#[derive(Args, Default)]
pub(crate) struct QuestionArguments {
    /// Question in SQL: SELECT region, COUNT(*) FROM stays GROUP BY region
    #[arg(required_unless_present = "plan", conflicts_with = "plan")]
    pub(crate) sql: Option<String>,
    /// Question as a plan, in TOML or JSON
    #[arg(long)]
    pub(crate) plan: Option<PathBuf>,
    /// Table that the plan reads
    #[arg(long, requires = "plan")]
    pub(crate) table: Option<String>,
    /// Budget for a question in SQL: `epsilon=0.5`, `rho=0.1`, `epsilon=1,delta=1e-6`, or `rest` for all that remains
    #[arg(long, required_unless_present_any = ["plan", "within"], conflicts_with_all = ["plan", "within"])]
    pub(crate) spend: Option<String>,
    /// Spend the smallest budget that keeps the noise of every count and sum within this distance
    #[arg(long, value_parser = number, conflicts_with = "plan")]
    pub(crate) within: Option<f64>,
    /// Maximum number of rows counted per individual, or per individual and group if --max-groups-per-individual is
    /// also given; the default is 1, so that COUNT(*) counts individuals
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_rows_per_individual: Option<u32>,
    /// Maximum number of groups each individual is counted in; COUNT(DISTINCT id) uses 1 group by default. Gaussian
    /// noise grows with the square root of this number, Laplace noise in proportion
    #[arg(long, value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_groups_per_individual: Option<u32>,
    /// Probability that an interval misses the true value
    #[arg(long, value_parser = number, default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// Schema file
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// Ledger file; budget.ledger by default. If that does not exist, a price is shown without an account
    #[arg(long)]
    pub(crate) ledger: Option<PathBuf>,
    /// Account to charge; needed only if the ledger has several
    #[arg(long)]
    pub(crate) account: Option<String>,
}

impl QuestionArguments {
    /// The ledger's file.
    pub(crate) fn ledger(&self) -> &Path {
        self.ledger.as_deref().unwrap_or(Path::new("budget.ledger"))
    }
}

#[derive(Args)]
pub(crate) struct PriceArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// Also show every step, its privacy map and the level of its proof
    #[arg(long)]
    pub(crate) steps: bool,
}

#[derive(Args)]
pub(crate) struct ReleaseArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// Name of the release; the same name again returns the same release at no cost
    #[arg(long)]
    pub(crate) name: String,
    /// CSV, Parquet or Arrow IPC file with the table's rows; by default the file named in the schema
    #[arg(long)]
    pub(crate) data: Option<PathBuf>,
    /// Approximate memory for rows, in MiB; rows that do not fit go to temporary files
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = value_parser!(u64).range(64..1 << 40))]
    pub(crate) memory: u64,
    /// Folder for temporary files, which contain private rows; by default the folder of the data
    #[arg(long, value_name = "FOLDER")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// Purpose of the release, shown on its certificate and page
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) purpose: String,
    /// Charge the budget without asking for confirmation
    #[arg(long)]
    pub(crate) yes: bool,
    /// File to write the certificate to
    #[arg(long)]
    pub(crate) certificate: Option<PathBuf>,
    /// File to write the released results to; the certificate contains their hash
    #[arg(long)]
    pub(crate) results: Option<PathBuf>,
    /// HTML file to write
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite existing files, but never the data, the ledger or the schema
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Subcommand)]
pub(crate) enum BudgetCommand {
    /// Create a ledger with the total budget for all releases from one data set
    Open {
        /// Name of the data set, which becomes the name of the first account
        name: String,
        /// Total budget: `epsilon=1`, `rho=0.5`, or `epsilon=1,delta=1e-6`
        #[arg(long)]
        budget: String,
        /// Ledger file to create; it must not exist yet
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Add an account below another one, such as for a team or an analyst
    AddAccount {
        /// Name of the new account
        name: String,
        /// Existing account that also pays for every release of the new account
        #[arg(long)]
        parent: String,
        /// Maximum that the account may spend; every charge must also fit what remains in every account above it
        #[arg(long)]
        budget: String,
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Add an account for each part of a table; a part has all rows with the same value in a column
    ///
    /// Every row is in at most one part, so all parts together cost as much as one (parallel composition).
    Partition {
        /// New accounts, each with its value in the column: north=North
        #[arg(required = true)]
        parts: Vec<String>,
        /// Name of the table
        #[arg(long)]
        table: String,
        /// Column that decides the part of a row
        #[arg(long)]
        column: String,
        /// Account to charge
        #[arg(long)]
        account: String,
        /// Budget of each part, and the cost of all parts together
        #[arg(long)]
        budget: String,
        /// Schema file; its unit must be rows added or removed
        #[arg(long, default_value = "schema.toml")]
        schema: PathBuf,
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Close an account and all accounts below it, so that nothing more can be charged to them
    Close {
        /// Name of the account
        name: String,
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Show the budget of each account, what is spent and what remains
    Show {
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum LedgerCommand {
    /// Verify that the accounts follow from the ledger's entries, and print its head, to be saved elsewhere
    Verify {
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
        /// Head saved earlier; detects a ledger restored from an old copy
        #[arg(long)]
        expected_head: Option<String>,
    },
    /// Back up a ledger, even while it is in use; verify the copy and print its head
    ///
    /// The copy cannot be charged until `ledger restore` makes it a ledger again.
    Backup {
        /// Backup file to create; it must not exist yet
        to: PathBuf,
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Restore a lost ledger from a backup, and print its head
    ///
    /// The backup lacks the charges made after it, and what they spent could be spent a second time.
    Restore {
        /// Backup file
        backup: PathBuf,
        /// Ledger file to create; it must not exist yet
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
    },
    /// Print the entries of all accounts, or of one
    Export {
        /// Ledger file
        #[arg(long, default_value = "budget.ledger")]
        ledger: PathBuf,
        /// Account to print; by default all
        #[arg(long)]
        account: Option<String>,
    },
}

#[derive(Subcommand)]
pub(crate) enum CertificateCommand {
    /// Print a certificate in words
    Show {
        /// Certificate file
        certificate: PathBuf,
    },
    /// Verify a certificate without the data
    Verify {
        /// Certificate file
        certificate: PathBuf,
        /// Released results to compare with the certificate; without them, the released numbers are not checked
        #[arg(long)]
        results: Option<PathBuf>,
        /// Ledger that was charged; without it, the table, unit, account, budget and date are not checked
        #[arg(long)]
        ledger: Option<PathBuf>,
    },
    /// Print an entry for the public registry of differential privacy deployments
    Registry {
        /// Certificate file
        certificate: PathBuf,
    },
}

#[derive(Args)]
pub(crate) struct AccuracyArguments {
    /// Distribution of the noise
    #[arg(value_enum)]
    pub(crate) noise: Noise,
    /// Scale of the noise
    #[arg(long, value_parser = number)]
    pub(crate) scale: f64,
    /// Probability that the noise exceeds the printed bound
    #[arg(long, value_parser = number, default_value_t = 0.05)]
    pub(crate) alpha: f64,
}

/// A distribution of noise.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Noise {
    /// Laplace noise on floats
    Laplace,
    /// Gaussian noise on floats
    Gaussian,
    /// Discrete Laplace noise on integers, such as counts
    DiscreteLaplace,
    /// Discrete Gaussian noise on integers, such as counts
    DiscreteGaussian,
}

#[derive(Subcommand)]
pub(crate) enum AccountingCommand {
    /// Convert rho-zCDP into the epsilon at a delta
    Convert {
        /// Rho of zero-concentrated differential privacy (zCDP)
        #[arg(long, value_parser = number)]
        rho: f64,
        /// Delta of the guarantee
        #[arg(long, value_parser = number)]
        delta: f64,
    },
    /// Print the epsilon of mechanisms at a delta, such as the steps of a training
    Epsilon {
        #[command(flatten)]
        losses: LossArguments,
        /// Delta of the guarantee
        #[arg(long, value_parser = number)]
        delta: f64,
        /// HTML file to write, with curves
        #[arg(long)]
        html: Option<PathBuf>,
        /// Overwrite an existing file
        #[arg(long, requires = "html")]
        force: bool,
    },
    /// Print the delta of mechanisms at an epsilon, such as the steps of a training
    Delta {
        #[command(flatten)]
        losses: LossArguments,
        /// Epsilon of the guarantee
        #[arg(long, value_parser = number)]
        epsilon: f64,
    },
    /// Print the smallest Gaussian noise for an epsilon and a delta; with --sigma, the largest rate or the most steps
    Calibrate {
        /// Epsilon of the guarantee
        #[arg(long, value_parser = number)]
        epsilon: f64,
        /// Delta of the guarantee
        #[arg(long, value_parser = number)]
        delta: f64,
        /// L2 sensitivity of the value that gets the noise
        #[arg(long, value_parser = number, default_value_t = 1.0)]
        sensitivity: f64,
        /// Neighbor relation of the guarantee; must be add-remove with --rate or --sigma
        #[arg(long, value_enum)]
        neighbors: Option<NeighborsArgument>,
        /// Sampling rate: probability that a Poisson sample contains an individual
        #[arg(long, value_parser = number, requires = "neighbors")]
        rate: Option<f64>,
        /// Number of steps, each on a new sample
        #[arg(long)]
        steps: Option<u64>,
        /// Noise multiplier (standard deviation divided by sensitivity); finds the largest --rate or --steps, whichever
        /// is left out
        #[arg(long, value_parser = number, requires = "neighbors", conflicts_with = "sensitivity")]
        sigma: Option<f64>,
    },
    /// Print upper bounds of a guarantee: delta by epsilon, the trade-off function (f-DP), and RDP by order
    Curves(CurvesArguments),
}

/// The neighbor relation of data sets.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NeighborsArgument {
    /// One individual more or less (unbounded differential privacy)
    AddRemove,
    /// The data of one individual replaced (bounded differential privacy)
    Replace,
}

/// Mechanisms that run elsewhere.
#[derive(Args)]
pub(crate) struct LossArguments {
    /// Neighbor relation of the guarantee
    #[arg(long, value_enum)]
    pub(crate) neighbors: NeighborsArgument,
    /// Noise multiplier of Gaussian noise: standard deviation divided by sensitivity. For vectors clipped to a norm,
    /// the sensitivity is the norm with add-remove, and twice the norm with replace
    #[arg(long, value_parser = number)]
    pub(crate) sigma: Option<f64>,
    /// Sampling rate: probability that a Poisson sample contains an individual; needs --neighbors add-remove
    #[arg(long, value_parser = number, requires = "sigma", conflicts_with = "sample_size")]
    pub(crate) rate: Option<f64>,
    /// Size of a sample drawn without replacement; needs --neighbors replace
    #[arg(long, requires = "sigma", requires = "population")]
    pub(crate) sample_size: Option<u64>,
    /// Number of individuals that the sample is drawn from
    #[arg(long, requires = "sample_size")]
    pub(crate) population: Option<u64>,
    /// Number of steps with this noise, each on a new sample
    #[arg(long, requires = "sigma")]
    pub(crate) steps: Option<u64>,
    /// Further mechanisms: `laplace=SCALE`, `gaussian=SIGMA`, `discrete-gaussian=SIGMA`, `discrete-laplace=SCALE` (in
    /// units of the sensitivity), `epsilon=1`, `epsilon=1,delta=1e-6` or `exponential=EPSILON`; each may end with
    /// `,times=NUMBER`
    #[arg(required_unless_present = "sigma")]
    pub(crate) mechanisms: Vec<String>,
}

#[derive(Args)]
pub(crate) struct CurvesArguments {
    /// Guarantee: `epsilon=1`, `epsilon=1,delta=1e-6`, `rho=0.5`, or `mu=0.5` for Gaussian differential privacy (GDP)
    #[arg(required_unless_present = "plan", conflicts_with = "plan")]
    pub(crate) guarantee: Option<String>,
    /// Plan, in TOML or JSON; shows the guarantee of one release by this plan
    #[arg(long)]
    pub(crate) plan: Option<PathBuf>,
    /// Number of rows or individuals protected together (group size)
    #[arg(long, default_value_t = 1, conflicts_with = "guarantee")]
    pub(crate) units: u32,
    /// HTML file to write
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct ReportArguments {
    /// Question that was released, in SQL; without it, the page lists the plain numbers without names or intervals
    #[arg(requires = "certificate", requires = "spend")]
    pub(crate) sql: Option<String>,
    /// Value of --spend when the question was released
    #[arg(long, requires = "sql")]
    pub(crate) spend: Option<String>,
    /// Value of --max-rows-per-individual when the question was released, if it was given
    #[arg(long, requires = "sql", value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_rows_per_individual: Option<u32>,
    /// Value of --max-groups-per-individual when the question was released, if it was given
    #[arg(long, requires = "sql", value_parser = value_parser!(u32).range(1..))]
    pub(crate) max_groups_per_individual: Option<u32>,
    /// Schema file, for a question
    #[arg(long, default_value = "schema.toml")]
    pub(crate) schema: PathBuf,
    /// Certificate of the release
    #[arg(long, required_unless_present = "ledger", requires = "results")]
    pub(crate) certificate: Option<PathBuf>,
    /// Probability that an interval misses the true value; by default the one in the certificate
    #[arg(long, value_parser = number, requires = "certificate")]
    pub(crate) alpha: Option<f64>,
    /// Released results, as written by `release --results`; they must match the certificate
    #[arg(long, requires = "certificate")]
    pub(crate) results: Option<PathBuf>,
    /// Ledger to report on instead of a release; the page shows the spending after each of its releases
    #[arg(long, conflicts_with = "certificate")]
    pub(crate) ledger: Option<PathBuf>,
    /// Account of the ledger; by default the first, top-level account
    #[arg(long, requires = "ledger")]
    pub(crate) account: Option<String>,
    /// HTML file to write
    #[arg(long)]
    pub(crate) html: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}
