//! Functions of the program's own, by name.

use super::{super::FrameMeasurement, super::Functions, frame};
use crate::{
    core::{Error, ErrorKind, ProofLevel, Released},
    frames::Cell,
    measures::MaxDivergence,
    sampling::testing::SeededEntropy,
};

fn functions() -> Functions {
    let twice = |cells: &[Cell]| match cells {
        [Cell::Integer(n), Cell::Text(ward)] if ward == "a" => (2 * n).into(),
        [Cell::Integer(n), _] => (*n).into(),
        _ => Cell::Missing,
    };
    let tens = |released: &Released| match released {
        Released::Integer(value) => Ok(Released::Integer(value / 10 * 10)),
        _ => Err(Error::user("no integer")),
    };
    Functions::new().column("twice", twice).unwrap().postprocessing("tens", tens).unwrap()
}

/// A plan in TOML under a metric, which has a column of a function and ends in one of a release.
fn plan(metric: &str, rows: &str) -> String {
    format!(
        "version = 2\n{metric}\n[columns]\nid = \"integer\"\nward = \"text\"\nn = \"integer(0..=9)\"\n\
         [[steps]]\nmake = \"own_column\"\nname = \"twice\"\nof = [\"n\", \"ward\"]\ncolumn = \"m\"\n\
         domain = \"integer(0..=12)\"\n\
         [[steps]]\nmake = \"with_columns\"\ncolumns = [[\"m\", \"fill_null(m, 0)\"]]\n{rows}\
         [[steps]]\nmake = \"sum\"\n[[steps]]\nmake = \"laplace\"\nscale = 12\n\
         [[steps]]\nmake = \"own_function\"\nname = \"tens\"\n"
    )
}

fn of_rows(metric: &str) -> String {
    plan(&format!("metric = \"{metric}\""), "[[steps]]\nmake = \"rows\"\ncolumns = [\"m\"]\n")
}

fn of_individuals(metric: &str) -> String {
    plan(
        &format!("individuals = \"id\"\nmetric = \"{metric}\""),
        "[[steps]]\nmake = \"bound_rows\"\ncolumns = [\"m\"]\nmax_rows = 1\n[[steps]]\nmake = \"rows\"\ncolumns = [\"m\"]\n",
    )
}

#[test]
fn a_plan_names_its_functions() {
    let plans = [
        of_rows("SymmetricDistance"),
        of_rows("InsertDeleteDistance"),
        of_rows("ChangeOneDistance"),
        of_rows("HammingDistance"),
        of_individuals("SymmetricIdDistance"),
        of_individuals("ChangeOneIdDistance"),
    ];
    for (plan, loss) in plans.iter().zip([1.0, 1.0, 1.0, 1.0, 1.0, 2.0]) {
        let built = FrameMeasurement::from_toml_with(plan, &functions()).unwrap();
        let typed = built.under::<MaxDivergence>().unwrap();
        assert_eq!(typed.map(&1), Ok(loss), "{plan}");
        let json = built.to_json().unwrap();
        for again in [
            FrameMeasurement::from_json_with(&json, &functions()),
            FrameMeasurement::from_toml_with(&built.to_toml().unwrap(), &functions()),
            FrameMeasurement::from_plan_with(built.plan(), &functions()),
        ] {
            let again = again.unwrap();
            assert_eq!((again.plan(), again.to_json(), again.hash()), (built.plan(), Ok(json.clone()), built.hash()));
            let release = |one: &FrameMeasurement| {
                let one = one.under::<MaxDivergence>().unwrap();
                one.invoke_with(&narrow(), &mut SeededEntropy::new(7)).unwrap()
            };
            assert_eq!(release(&again), release(&built));
            assert!(matches!(release(&built), Released::Integer(value) if value % 10 == 0));
        }
        // It is marked, and what the program alone knows is not proved.
        assert!(!built.plan().is_complete());
        let told = built.explain(1).unwrap();
        assert_eq!(told.weakest_proof(), ProofLevel::Unproven);
        let text = told.to_string();
        assert!(text.contains("own_column(name = twice, column = m, of = [\"n\", \"ward\"], domain = \"integer(0..=12)\", function = caller-trusted)"), "{text}");
        assert!(text.contains("own_function(name = tens, function = caller-trusted)"), "{text}");
        assert!(text.contains("if the function does not look at the data"), "{text}");
        assert_eq!(built.accuracy(0.05).unwrap(), crate::accuracy::Accuracy::Unknown);
    }
}

/// The rows of the columns that these plans have.
fn narrow() -> crate::frames::Frame {
    let of = |name: &str| {
        let names = super::columns().names().clone();
        let place = names.iter().position(|listed| listed == name).unwrap();
        (name.to_owned(), frame()[0].columns()[place].clone())
    };
    crate::frames::Frame::new([of("id"), of("ward"), of("n")]).unwrap()
}

/// Noise far below 1 shows what is computed: of 0 to 9 four times over, twice where the ward is a, and nothing beyond
/// 12.
#[test]
fn the_functions_are_those_of_the_program() {
    let plan = of_rows("SymmetricDistance").replace("scale = 12", "scale = 1e-3");
    let built = FrameMeasurement::from_toml_with(&plan, &functions()).unwrap();
    let expected: i128 = (0..40).map(|i| if i % 3 == 0 { 2 * (i % 10) } else { i % 10 }).filter(|m| *m <= 12).sum();
    assert_eq!(built.invoke(&narrow()), Ok(Released::Integer(expected / 10 * 10)));
    // An error of a function of the release is the release's.
    let refused = Functions::new().postprocessing("tens", |_| Err(Error::user("never"))).unwrap();
    let refused = refused.column("twice", |_| Cell::Missing).unwrap();
    let error = FrameMeasurement::from_toml_with(&plan, &refused).unwrap().invoke(&narrow()).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::User, "user: never".to_owned()));
}

/// A proof is weaker for a function of rows, not for one of a release.
#[test]
fn a_function_of_a_release_leaves_the_level() {
    let counted = "version = 2\nmetric = \"SymmetricDistance\"\ncolumns = { n = \"integer\" }\n\
                   [[steps]]\nmake = \"rows\"\ncolumns = [\"n\"]\n[[steps]]\nmake = \"count\"\n\
                   [[steps]]\nmake = \"laplace\"\nscale = 1\n";
    let count = FrameMeasurement::from_toml(counted).unwrap();
    let own = format!("{counted}[[steps]]\nmake = \"own_function\"\nname = \"tens\"\n");
    let tens = FrameMeasurement::from_toml_with(&own, &functions()).unwrap();
    let level = |one: &FrameMeasurement| one.explain(1).unwrap().weakest_proof();
    assert!(level(&count) > ProofLevel::Unproven);
    let by_closure = (count.under::<MaxDivergence>().unwrap() >> crate::core::Function::new(Released::clone)).unwrap();
    assert_eq!(level(&tens), by_closure.explain(&1).unwrap().weakest_proof());
    // The names are all that differs.
    let other = functions().postprocessing("fives", |released| Ok(released.clone())).unwrap();
    let fives = FrameMeasurement::from_toml_with(&own.replace("tens", "fives"), &other).unwrap();
    assert!(fives.hash() != tens.hash() && fives.plan() != tens.plan());
    // In a composition, too, and one after another; the library's own functions do not follow on them.
    let both = format!(
        "{}[[steps]]\nmake = \"composition\"\nmeasurements = [[{{ make = \"count\" }}, {{ make = \"laplace\", scale = 1 }}, \
         {{ make = \"own_function\", name = \"tens\" }}, {{ make = \"own_function\", name = \"fives\" }}], \
         [{{ make = \"count\" }}, {{ make = \"laplace\", scale = 2 }}]]\n",
        counted.split("[[steps]]\nmake = \"count\"").next().unwrap()
    );
    let built = FrameMeasurement::from_toml_with(&both, &other).unwrap();
    let again = FrameMeasurement::from_json_with(&built.to_json().unwrap(), &other).unwrap();
    assert_eq!((again.plan(), again.hash()), (built.plan(), built.hash()));
    assert_eq!(built.under::<MaxDivergence>().unwrap().map(&1), Ok(1.5));
    let means = format!("{own}[[steps]]\nmake = \"group_means\"\nbounds = [0, 1]\n");
    let error = FrameMeasurement::from_toml_with(&means, &functions()).unwrap_err().to_string();
    assert!(error.ends_with("not of the value of a user-defined function"), "{error}");
}

#[test]
fn rows_apart_are_declared_in_the_text() {
    let plan = of_individuals("SymmetricIdDistance")
        .replace("individuals = ", "individuals_or_null = ")
        .replace("id = \"integer\"", "id = \"integer(missing)\"");
    let built = FrameMeasurement::from_toml_with(&plan, &functions()).unwrap();
    assert!(built.input_space().0.has_individuals_or_null());
    let (json, toml) = (built.to_json().unwrap(), built.to_toml().unwrap());
    assert!(json.contains(r#""individuals_or_null":"id""#) && toml.contains("individuals_or_null = \"id\""));
    for again in [
        FrameMeasurement::from_json_with(&json, &functions()),
        FrameMeasurement::from_toml_with(&toml, &functions()),
        FrameMeasurement::from_plan_with(built.plan(), &functions()),
    ] {
        assert_eq!(again.unwrap().plan(), built.plan());
    }
    let both = plan.replace("individuals_or_null = ", "individuals = \"id\"\nindividuals_or_null = ");
    let error = FrameMeasurement::from_toml_with(&both, &functions()).unwrap_err().to_string();
    assert!(error.contains("individuals: the column \"id\" may have missing cells"), "{error}");
    let never = plan.replace("integer(missing)", "integer");
    let error = FrameMeasurement::from_toml_with(&never, &functions()).unwrap_err().to_string();
    assert!(error.contains("individuals_or_null: the column \"id\" has no missing cells"), "{error}");
}

#[test]
fn what_is_refused_has_a_place() {
    let refused = |from: &str, to: &str, functions: &Functions, told: &str| {
        let text = of_individuals("SymmetricIdDistance").replacen(from, to, 1);
        let error = FrameMeasurement::from_toml_with(&text, functions).unwrap_err();
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Plan, format!("plan: {told}")), "{text}");
    };
    let own = &functions();
    refused("", "", &Functions::new(), "line 10, column 8: steps[0].name: the program registers no function \"twice\"");
    refused(
        "\"twice\"",
        "\"thrice\"",
        own,
        "line 10, column 8: steps[0].name: the program registers no function \"thrice\"; it registers \"tens\", \"twice\"",
    );
    refused(
        "\"tens\"",
        "\"twice\"",
        own,
        "line 31, column 8: steps[6].name: \"twice\" is a function of rows, which only own_column can call",
    );
    refused(
        "\"twice\"",
        "\"tens\"",
        own,
        "line 10, column 8: steps[0].name: \"tens\" is a function of releases, which only own_function can call",
    );
    refused("name = \"twice\"\n", "", own, "line 8, column 1: steps[0].name: is missing");
    refused(
        "[\"n\", \"ward\"]",
        "[\"n\", \"word\"]",
        own,
        "line 11, column 6: steps[0].of: there is no column \"word\"; there are \"id\", \"ward\", \"n\"",
    );
    refused("[\"n\", \"ward\"]", "[\"n\", \"n\"]", own, "line 11, column 6: steps[0].of: the name \"n\" is repeated");
    refused(
        "column = \"m\"",
        "column = \"id\"",
        own,
        "line 12, column 10: steps[0].column: the column \"id\" identifies individuals and cannot be changed",
    );
    refused(
        "column = \"m\"",
        "column = \"m\"\nfunction = \"mine\"",
        own,
        "line 13, column 12: steps[0].function: must be the mark of a user-defined function: caller-trusted",
    );
    refused(
        "column = \"m\"",
        "column = \"m\"\nwhere = \"n > 1\"",
        own,
        "line 13, column 9: steps[0].where: is not a parameter of own_column, whose parameters are: name, column, of, domain",
    );
    refused(
        "make = \"sum\"",
        "make = \"own_function\"\nname = \"tens\"",
        own,
        "line 25, column 8: steps[4].make: own_function must follow a release",
    );
    let error = FrameMeasurement::from_toml_with(
        &of_rows("SymmetricDistance")
            .replace("make = \"own_function\"", "make = \"own_column\"\nof = []\ncolumn = \"m\"\ndomain = \"text\"")
            .replace("\"tens\"", "\"twice\""),
        own,
    );
    let told =
        "plan: line 25, column 8: steps[5].make: own_column must follow a table, not a release under MaxDivergence";
    assert_eq!(error.unwrap_err().to_string(), told);
    let unknown = of_rows("SymmetricDistance").replace("own_function", "own_functions");
    let error = FrameMeasurement::from_toml_with(&unknown, own).unwrap_err().to_string();
    assert!(error.ends_with("there is no step \"own_functions\"; there is \"own_function\""), "{error}");
    let built = FrameMeasurement::from_toml_with(&of_rows("SymmetricDistance"), own).unwrap();
    let error = FrameMeasurement::from_plan(built.plan()).unwrap_err().to_string();
    assert_eq!(error, "plan: steps[0].name: the program registers no function \"twice\"");
    let error = functions().column("tens", |_| Cell::Missing).unwrap_err();
    assert_eq!(error.to_string(), "parameter name: the function \"tens\" is already registered");
    assert_eq!(format!("{:?}", functions()), "{\"tens\", \"twice\"}");
}
