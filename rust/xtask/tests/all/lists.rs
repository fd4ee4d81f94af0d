//! The lists of constructors are those of the code.

use std::{fs, path::Path};
use tempfile::TempDir;
use xtask::lists::{lists, write};

#[test]
fn the_lists_of_this_workspace_are_those_of_its_code() {
    let found = lists(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    for list in &found {
        assert!(
            list.present == list.written,
            "{} has not the constructors of its folder: run `cargo xtask lists`",
            list.file
        );
    }
    let all: usize = found.iter().map(|list| list.written.matches("::entry(),").count()).sum();
    assert!(all > 80, "{all}");
}

const BEGIN: &str = "// Written by `cargo xtask lists` from the files of this folder.\n";
const END: &str = "// The end of what is written.\n";

#[test]
fn a_new_constructor_is_listed() {
    let place = TempDir::new().unwrap();
    let source = place.path().join("rust/indistinct/src");
    for folder in ["combinators", "measurements", "transformations"] {
        fs::create_dir_all(source.join(folder)).unwrap();
        fs::write(source.join(folder).join("mod.rs"), format!("mod x;\n\n{BEGIN}{END}\nfn after() {{}}\n")).unwrap();
    }
    fs::create_dir(source.join("combinators/measure_cast")).unwrap();
    fs::write(source.join("combinators/measure_cast/mod.rs"), "").unwrap();
    let stale = || lists(place.path()).unwrap().into_iter().any(|list| list.present != list.written);
    let text = |folder: &str| fs::read_to_string(source.join(folder).join("mod.rs")).unwrap();
    write(place.path()).unwrap();
    assert!(!stale());
    let add = |file: &str, code: &str| fs::write(source.join(file), code).unwrap();
    add(
        "measurements/x.rs",
        "#[constructor(types(T))]\npub fn make_x<T>(input_domain: D, input_metric: M) -> F { f }\n",
    );
    assert!(stale());
    write(place.path()).unwrap();
    let written = text("measurements");
    assert!(written.contains("    pub use super::x::{make_x, then_x};\n") && written.contains("        x::entry(),\n"));
    assert!(written.starts_with("mod x;\n") && written.ends_with("\nfn after() {}\n"), "{written}");
    // A constructor of measurements has no `then_`; a function without the attribute is not a constructor.
    add("combinators/measure_cast/y.rs", "#[constructor]\npub fn make_y(measurement: M, domain: D) -> F { f }\n");
    add("combinators/measure_cast/z.rs", "pub fn make_z(input_domain: D, input_metric: M) -> F { f }\n");
    write(place.path()).unwrap();
    let written = text("combinators");
    assert!(written.contains("    pub use super::measure_cast::y::make_y;\n"), "{written}");
    assert!(written.contains("        measure_cast::y::entry(),\n") && !written.contains("make_z"), "{written}");
    add("transformations/mod.rs", "mod x;\n");
    assert!(lists(place.path()).is_err_and(|error| error.to_string().contains("transformations/mod.rs has no line")));
}
