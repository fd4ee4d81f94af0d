//! Certificates as Coq reads them: theorems of a map by number, and the axioms of all of them.

use std::io::Write;

/// Those of one map so far.
pub(crate) struct Theorems {
    name: String,
    count: u32,
}

impl Theorems {
    /// `make_gaussian under Gaussian divergence` is of `make_gaussian`.
    pub(crate) fn new(name: &str, out: &mut impl Write) -> anyhow::Result<Self> {
        writeln!(out, "(* {name} *)")?;
        Ok(Self { name: name.replace(' ', "_"), count: 0 })
    }

    pub(crate) fn write(&mut self, claim: &str, tactic: &str, out: &mut impl Write) -> anyhow::Result<()> {
        self.count += 1;
        let Self { name, count } = self;
        Ok(writeln!(out, "Theorem {name}_{count} : {claim}. Proof. {tactic}. Qed.")?)
    }

    /// One that all of them make, and its name.
    pub(crate) fn end(self, out: &mut impl Write) -> anyhow::Result<String> {
        let Self { name, count } = self;
        let (mut all, mut ends) = (String::new(), String::new());
        for number in 1..=count {
            all += &format!("conj {name}_{number} (");
            ends += ")";
        }
        writeln!(out, "Definition all_of_{name} := {all}I{ends}.")?;
        Ok(format!("all_of_{name}"))
    }
}

/// What all of these rest on.
pub(crate) fn print_axioms(all: &[String], out: &mut impl Write) -> anyhow::Result<()> {
    let (parts, ends) = (all.iter().map(|name| format!("conj {name} (")).collect::<String>(), ")".repeat(all.len()));
    writeln!(out, "Definition all := {parts}I{ends}.")?;
    Ok(writeln!(out, "Set Printing Width 120. Print Assumptions all.")?)
}
