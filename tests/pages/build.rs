//! Writes the Rust of all pages as functions of one program: `main.rs`.

// A failure here is a failed test.
#![allow(clippy::expect_used)]

use indistinct_pages::{pages, project};
use std::{env, fmt::Write, fs, path::Path};

fn main() {
    let (mut functions, mut table, mut number) = (String::new(), String::new(), 0);
    for page in pages() {
        println!("cargo::rerun-if-changed={}", project().join(&page.name).display());
        for (place, (block, _)) in page.snippets("rust").into_iter().enumerate() {
            // What a page leaves out is marked as in the documentation of code.
            let code = page.at(&block.place).lines().map(|line| line.strip_prefix("# ").unwrap_or(line));
            let code = code.map(|line| if line == "#" { "" } else { line }).collect::<Vec<_>>().join("\n");
            let call = if code.contains("fn main()") { "\nmain()" } else { "" };
            number += 1;
            write!(functions, "fn snippet{number}() -> Result<(), impl std::fmt::Debug> {{\n{code}{call}\n}}\n\n")
                .expect("a text");
            writeln!(
                table,
                "    (({:?}, {place}), || snippet{number}().map_err(|error| format!(\"{{error:?}}\"))),",
                page.name
            )
            .expect("a text");
        }
    }
    let folder = env::var("OUT_DIR").expect("cargo's folder");
    let text = format!("{functions}const SNIPPETS: &[((&str, usize), fn() -> Result<(), String>)] = &[\n{table}];\n");
    fs::write(Path::new(&folder).join("snippets.rs"), text).expect("a file in cargo's folder");
}
