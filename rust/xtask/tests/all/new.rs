//! The files of a new constructor are in their places, and none passes as it is.

use std::{fs, path::Path};
use tempfile::TempDir;
use xtask::new::{Place, family_of, write};

const LISTS: &str =
    "// Written by `cargo xtask lists` from the files of this folder.\n// The end of what is written.\n";

fn workspace() -> TempDir {
    let place = TempDir::new().unwrap();
    let make = |file: &str, text: &str| {
        let path = place.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for folder in
        ["combinators", "combinators/amplification", "combinators/measure_cast", "measurements", "transformations"]
    {
        let modules = "//! Steps.\n\nmod alp;\npub(crate) mod noise;\n\n";
        let lists = if folder.contains('/') { "" } else { LISTS };
        make(&format!("rust/indistinct/src/{folder}/mod.rs"), &format!("{modules}{lists}"));
        make(&format!("proofs/{folder}/alp.md"), "");
    }
    make("rust/audit/tests/gate/noise.rs", "rows! {\n    tight make_alp: alp;\n}\n\nfn alp() -> Report {}\n");
    place
}

fn read(place: &TempDir, file: &str) -> String {
    fs::read_to_string(place.path().join(file)).unwrap()
}

#[test]
fn a_new_constructor_has_its_files_and_none_passes_as_it_is() {
    let place = workspace();
    let new = |name, folder| write(place.path(), &Place { name, folder, family: "noise" });
    let told = new("make_cut", "measurements").unwrap();
    let code = read(&place, "rust/indistinct/src/measurements/cut.rs");
    assert!(told.contains("rust/indistinct/src/measurements/cut.rs") && told.contains("rust/fuzz/src"), "{told}");
    assert!(syn::parse_file(&code).is_ok(), "{code}");
    assert_eq!(code.matches("compile_error!(\"make_cut: ").count(), 3);
    let module = read(&place, "rust/indistinct/src/measurements/mod.rs");
    assert!(module.contains("mod alp;\nmod cut;\npub(crate) mod noise;\n"), "{module}");
    assert!(module.contains("    pub use super::cut::{make_cut, then_cut};\n") && module.contains("cut::entry(),"));
    let page = read(&place, "proofs/measurements/cut.md");
    assert!(page.contains("indistinct::measurements::cut::make_cut") && page.contains("reviewed:\n---"), "{page}");
    let gate = read(&place, "rust/audit/tests/gate/noise.rs");
    assert!(gate.contains("    tight make_alp: alp;\n    tight make_cut: cut;\n}\n"), "{gate}");
    assert!(gate.contains("fn cut() -> Report {\n    compile_error!(\"make_cut: audit it"), "{gate}");
    assert_eq!(["measurements", "combinators/measure_cast"].map(family_of), ["noise", "combinators"]);
    // Of a name that comes last, and of a transformation.
    new("make_zip", "transformations").unwrap();
    assert!(read(&place, "rust/indistinct/src/transformations/mod.rs").contains("pub(crate) mod noise;\nmod zip;\n"));
    assert!(read(&place, "rust/indistinct/src/transformations/zip.rs").contains("Transformation::new("));
    new("make_by", "combinators/measure_cast").unwrap();
    let modules = read(&place, "rust/indistinct/src/combinators/measure_cast/mod.rs");
    assert!(modules.contains("mod alp;\npub(crate) mod by;\n"), "{modules}");
    assert!(read(&place, "rust/indistinct/src/combinators/mod.rs").contains("        measure_cast::by::entry(),\n"));
}

#[test]
fn nothing_is_written_over_and_nothing_by_half() {
    let place = workspace();
    let new = |name, folder, family| write(place.path(), &Place { name, folder, family }).unwrap_err().to_string();
    for (name, folder, family, told) in [
        ("cut", "measurements", "noise", "named make_*"),
        ("make_", "measurements", "noise", "named make_*"),
        ("make_../x", "measurements", "noise", "is not a name"),
        ("make_cut", "elsewhere", "noise", "is not one of"),
        ("make_alp", "measurements", "noise", "proofs/measurements/alp.md exists already"),
        ("make_cut", "measurements", "elsewhere", "cannot read rust/audit/tests/gate/elsewhere.rs"),
    ] {
        let error = new(name, folder, family);
        assert!(error.contains(told), "{name}: {error}");
    }
    assert!(!place.path().join("rust/indistinct/src/measurements/cut.rs").exists());
    assert!(!Path::new(&place.path().join("proofs/measurements/cut.md")).exists());
}
