//! A definition that a theorem speaks of is printed with its body, through all that lies between; a proof is not.

use xtask::proofs::definitions;

/// What Coq prints of a theorem on a count, in short.
const PRINTED: &str = "\
?? count.stable
count.stable
     : forall x y, Rle (distance x y) (count.count_map Dataset.AddOrRemove)
== count.count_map
count.count_map = fun M => match M with Dataset.AddOrRemove => 1 | _ => 0 end
-- count.count_map
count.count_map = fun M => match Dataset.unit M with Dataset.AddOrRemove => IZR 1 | _ => count.hidden count.fact end
== count.hidden
count.hidden = 0
-- count.hidden
count.hidden = Z0
== count.fact
== count.stable
== count.unused
count.unused = 5
-- count.unused
count.unused = 5
== Dataset.unit
Dataset.unit = fun M => M
-- Dataset.unit
DP.Theory.Dataset.unit = fun M : Dataset.row_change => M
== Dataset.row_change
Inductive
row_change := AddOrRemove | Replace.
-- Dataset.row_change
Inductive row_change := AddOrRemove | Replace.
";

#[test]
fn all_that_a_statement_speaks_of_is_shown() {
    let shown = definitions(PRINTED).unwrap();
    let names: Vec<_> = shown.lines().filter_map(|line| line.strip_prefix("== ")).collect();
    assert_eq!(names, ["Dataset.row_change", "Dataset.unit", "count.count_map", "count.hidden"]);
    assert!(shown.contains("Dataset.AddOrRemove => 1 |") && !shown.contains("IZR"), "{shown}");
}

#[test]
fn another_definition_under_a_statement_that_stays_shows() {
    for (from, to) in [("Dataset.AddOrRemove => 1", "Dataset.AddOrRemove => 100"), ("hidden = 0", "hidden = 7")] {
        assert_eq!(PRINTED.matches(from).count(), 1);
        assert_ne!(definitions(&PRINTED.replace(from, to)).unwrap(), definitions(PRINTED).unwrap(), "{to}");
    }
    // Of no concern to any statement.
    assert_eq!(definitions(&PRINTED.replace("unused = 5", "unused = 6")).unwrap(), definitions(PRINTED).unwrap());
}

#[test]
fn a_name_that_was_not_printed_is_refused() {
    let error = definitions(&PRINTED.replace("count.hidden count", "count.gone count")).unwrap_err();
    assert!(error.to_string().contains("count.gone is named, and was not printed"), "{error}");
    let error =
        definitions(&PRINTED.replace("unit M with Dataset.AddOrRemove", "unit M with Dataset.Add")).unwrap_err();
    assert!(error.to_string().contains("Dataset.Add is named"), "{error}");
    let twice = definitions(&format!("{PRINTED}== count.hidden\n")).unwrap_err();
    assert!(twice.to_string().contains("count.hidden is printed twice"), "{twice}");
}
