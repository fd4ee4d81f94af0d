//! Certificates as Coq reads them: of each map a list, and a theorem about all of them.

use indistinct_numeric::Dyadic;
use std::{collections::BTreeMap, io::Write};

/// A float, exactly: a whole number times a power of two.
pub(crate) fn number(x: f64) -> anyhow::Result<String> {
    let x = Dyadic::from_f64(x)?;
    Ok(format!("(B ({}) ({}))", x.mantissa(), x.exponent()))
}

/// `make_gaussian under Gaussian divergence` as a name in Coq.
fn identifier(name: &str) -> String {
    name.replace(' ', "_")
}

/// Those of one map so far.
pub(crate) struct Theorems {
    name: String,
    kind: &'static str,
    all: Vec<String>,
}

impl Theorems {
    pub(crate) fn new(name: &str, kind: &'static str) -> Self {
        Self { name: identifier(name), kind, all: Vec::new() }
    }

    pub(crate) fn push(&mut self, certificate: String) {
        self.all.push(certificate);
    }

    pub(crate) fn write(self, claim: &str, out: &mut impl Write) -> anyhow::Result<()> {
        let Self { name, kind, all } = self;
        writeln!(out, "Definition values_of_{name} : list {kind} := [\n{}].", all.join(";\n"))?;
        Ok(writeln!(out, "Theorem {name} : {claim} values_of_{name}. Proof. certify_all. Qed.")?)
    }
}

/// Coq's file that counts the goals of the theorems, those of `make_gaussian under Gaussian divergence` as
/// `make_gaussian`'s, and prints what all of them rest on.
pub(crate) fn summarize(
    modules: &str,
    certified: impl Iterator<Item = &'static str>,
    between: impl Iterator<Item = &'static str>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "Set Printing Width 120. Require Import Reals ZArith NArith. Open Scope N_scope.")?;
    writeln!(out, "From DP Require Oracle.Gaussian Oracle.Formulas. From DP Require Import {modules}.")?;
    let (mut counts, mut all) = (BTreeMap::<_, String>::new(), String::new());
    let certified = certified.map(|name| (name, "Formulas.goals"));
    for (name, count) in certified.chain(between.map(|name| (name, "Gaussian.goals"))) {
        let theorem = identifier(name);
        let goals = counts.entry(name.split(' ').next().unwrap_or(name)).or_default();
        *goals += &format!(" + {count} {theorem}");
        all += &format!("(conj {theorem} ");
    }
    for (map, goals) in &counts {
        writeln!(out, "Goal True. let n := eval vm_compute in (0{goals}) in idtac \"{map}\" n \"goals\". Abort.")?;
    }
    let ends = all.matches('(').map(|_| ')').collect::<String>();
    Ok(writeln!(out, "Definition all := {all}I{ends}. Print Assumptions all.")?)
}
