//! Describes the findings of an audit.

use std::fmt;

/// The outcome of an audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// The claim is true of everything that was tried. The arithmetic rounds outwards. If [`Report::between`] is not 0,
    /// this verdict assumes that all bits between two runs with the same outcome also have that outcome.
    Holds,
    /// The claim is true of everything that was tried, except for events of at most this mass.
    Undecided {
        /// The mass of these events.
        mass: f64,
    },
    /// The samples do not contradict the claim, with this confidence. They give no other information.
    NotRefuted {
        /// The probability that a correct mechanism gets this verdict.
        confidence: f64,
    },
    /// Nothing was compared, or nothing could be compared.
    Untested {
        /// The reason.
        why: String,
    },
    /// The claim is false.
    Violated {
        /// Two inputs, or a parameter, for which the claim is false, and the size of the violation.
        witness: String,
    },
}

impl Verdict {
    fn rank(&self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Undecided { .. } => 1,
            Verdict::NotRefuted { .. } => 2,
            Verdict::Untested { .. } => 3,
            Verdict::Violated { .. } => 4,
        }
    }

    /// Returns the weaker of two verdicts.
    fn and(self, other: Self) -> Self {
        match (&self, &other) {
            (Verdict::Undecided { mass: one }, Verdict::Undecided { mass: two }) => {
                Verdict::Undecided { mass: one.max(*two) }
            }
            _ if self.rank() >= other.rank() => self,
            _ => other,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Holds => f.write_str("holds"),
            Verdict::Undecided { mass: 0.0 } => f.write_str("holds, to the last bit of the enclosures"),
            Verdict::Undecided { mass } => write!(f, "holds, but for events of mass {mass:.1e}"),
            Verdict::NotRefuted { confidence } => write!(f, "not refuted, at confidence {confidence}"),
            Verdict::Untested { why } => write!(f, "nothing was tested: {why}"),
            Verdict::Violated { witness } => write!(f, "VIOLATED: {witness}"),
        }
    }
}

/// Returns the text that shows an input in a witness. Short inputs are shown in full.
pub(crate) fn brief<X: fmt::Debug>(input: &X) -> String {
    shortened(format!("{input:?}"))
}

/// Returns a text, shortened if it is long.
pub(crate) fn shortened(text: String) -> String {
    const MOST: usize = 300;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} characters)", text.get(..end).unwrap_or_default(), text.chars().count()),
        None => text,
    }
}

/// A report on the inputs that were tried and the outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The kinds of audit, such as `exact`.
    pub kinds: Vec<&'static str>,
    /// The number of ordered pairs of inputs that were compared.
    pub pairs: u64,
    /// The number of runs of the function: of tapes in an exact audit, of draws in a statistical one, and of inputs in
    /// a stability audit.
    pub runs: u64,
    /// The largest ratio of the truth to the claim; 0 if nothing was claimed of what was tried.
    pub ratio: f64,
    /// The largest mass that lies between two runs with the same outcome and was not run itself.
    pub between: f64,
    /// The number of random words between two words with the same outcome that were tried and had the same outcome too.
    pub probes: u64,
    /// The number of runs that repeated an input and bits, to check that the outcome is the same.
    pub repeats: u64,
    /// The number of values just outside a transformation's domains that the domains refused.
    pub non_members: u64,
    /// The verdict on all checks.
    pub verdict: Verdict,
}

impl Report {
    /// Starts a report that contains nothing yet.
    pub fn new(kind: &'static str) -> Self {
        Self {
            kinds: vec![kind],
            pairs: 0,
            runs: 0,
            ratio: 0.0,
            between: 0.0,
            probes: 0,
            repeats: 0,
            non_members: 0,
            verdict: Verdict::Holds,
        }
    }

    /// Returns a report that a claim is false, regardless of other checks.
    pub fn violated(kind: &'static str, witness: impl Into<String>) -> Self {
        Self { verdict: Verdict::Violated { witness: witness.into() }, ..Self::new(kind) }
    }

    /// Returns a report that nothing was compared.
    pub fn untested(kind: &'static str, why: impl Into<String>) -> Self {
        Self { verdict: Verdict::Untested { why: why.into() }, ..Self::new(kind) }
    }

    /// Combines two reports.
    pub fn and(mut self, other: Self) -> Self {
        for kind in other.kinds {
            if !self.kinds.contains(&kind) {
                self.kinds.push(kind);
            }
        }
        Self {
            kinds: self.kinds,
            pairs: self.pairs.saturating_add(other.pairs),
            runs: self.runs.saturating_add(other.runs),
            ratio: self.ratio.max(other.ratio),
            between: self.between.max(other.between),
            probes: self.probes.saturating_add(other.probes),
            repeats: self.repeats.saturating_add(other.repeats),
            non_members: self.non_members.saturating_add(other.non_members),
            verdict: self.verdict.and(other.verdict),
        }
    }

    /// Returns true if a claim was found to be false.
    pub fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated { .. })
    }

    pub(crate) fn note(&mut self, verdict: Verdict) {
        self.verdict = std::mem::replace(&mut self.verdict, Verdict::Holds).and(verdict);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kinds, pairs, runs) = (self.kinds.join(" and "), self.pairs, self.runs);
        writeln!(f, "{kinds} audit: {pairs} pairs of inputs, {runs} runs")?;
        writeln!(f, "the truth is at least {:.4} of what is claimed", self.ratio)?;
        if self.non_members > 0 {
            writeln!(f, "{} values just outside of its domains were refused", self.non_members)?;
        }
        if self.repeats > 0 {
            writeln!(f, "{} of the runs were on bits that had been run before", self.repeats)?;
        }
        if self.between > 0.0 {
            writeln!(
                f,
                "of all bits, {:.4} lie between two runs with one outcome and were not run themselves; {} of them, by chance, \
                 had it too",
                self.between, self.probes
            )?;
            if matches!(self.verdict, Verdict::Holds | Verdict::Undecided { .. }) {
                f.write_str("if all between have it: ")?;
            }
        }
        write!(f, "{}", self.verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weaker_verdict_stays() {
        let violated = Verdict::Violated { witness: "x".into() };
        let (one, two) = (Verdict::Undecided { mass: 0.1 }, Verdict::Undecided { mass: 0.2 });
        assert_eq!(one.clone().and(two.clone()), two);
        assert_eq!(two.clone().and(one.clone()), two);
        assert_eq!(Verdict::Holds.and(one.clone()), one);
        assert_eq!(violated.clone().and(Verdict::Holds), violated);
        assert_eq!(one.and(violated.clone()), violated);
    }

    #[test]
    fn what_was_not_run_is_told() {
        let report = Report { between: 0.5, probes: 9, ..Report::new("exact") };
        assert!(report.to_string().ends_with("9 of them, by chance, had it too\nif all between have it: holds"));
        let again = Report { repeats: 12, ..Report::new("determinism") };
        assert!(
            again.clone().and(again).to_string().contains("\n24 of the runs were on bits that had been run before\n")
        );
        let refused = Report { non_members: 5, ..Report::new("stability") };
        assert!(
            refused.clone().and(refused).to_string().contains("\n10 values just outside of its domains were refused\n")
        );
        let nothing = Report::new("exact").and(Report::untested("exact", "no pairs"));
        assert!(nothing.to_string().ends_with("nothing was tested: no pairs"));
    }

    #[test]
    fn long_inputs_are_cut() {
        assert_eq!(brief(&[1, 2]), "[1, 2]");
        assert!(brief(&"é".repeat(400)).ends_with("é… (402 characters)"));
    }

    #[test]
    fn reports_add_up() {
        let one = Report { pairs: 3, ratio: 0.5, ..Report::new("exact") };
        let both = one.and(Report { pairs: 4, ratio: 0.9, ..Report::new("statistical") });
        assert_eq!((both.pairs, both.ratio), (7, 0.9));
        assert!(both.to_string().starts_with("exact and statistical audit: 7 pairs"));
        assert!(both.and(Report::violated("exact", "why")).to_string().ends_with("VIOLATED: why"));
    }
}
