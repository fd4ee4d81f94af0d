//! What headers and footers show is refused before the charge.

use crate::place;
use indistinct::{frames::*, queries::*};
use indistinct_ledger::{Ledger, Loss};
use indistinct_sessions::{Error, Files, Session, Unit};
use indistinct_tables::{Arrow, Csv, FileKind};
use std::path::{Path, PathBuf};

fn of_others(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/tests/files").join(name)
}

fn domain(columns: &[(&str, &str)]) -> FrameDomain {
    let columns = columns.iter().map(|(name, kind)| (*name, kind.parse::<ColumnDomain>().unwrap()));
    FrameDomain::new(columns).unwrap().with_individuals("n").unwrap()
}

fn session(ledger: &Path, files: Files) -> Session {
    let ledger = match ledger.exists() {
        true => Ledger::open(ledger).unwrap(),
        false => Ledger::create(ledger, "stays", &Loss::epsilon(10.0).unwrap()).unwrap(),
    };
    Session::new(ledger, "stays", Unit::Individuals(1)).unwrap().with_files("stays", files).unwrap()
}

fn count(session: &mut Session, domain: &FrameDomain, key: &str) -> Result<(), Error> {
    let query = Query::new(domain).count().measurement(Budget::Epsilon(1.0)).unwrap();
    let priced = session.price("stays", &query)?;
    session.release(priced, key).map(drop)
}

/// Files of five programs with their defaults are released. A column that the question does not use, of a type that its
/// declaration does not read, is refused and nothing is charged: the right declaration is released under the same key.
#[test]
fn files_of_other_programs_are_released_or_refused_before_the_charge() {
    let names = ["polars", "pyarrow", "pandas", "duckdb", "spark"].map(|name| format!("{name}.parquet"));
    let arrow = ["polars", "pyarrow", "pandas"].map(|name| format!("{name}.arrow"));
    for name in names.into_iter().chain(arrow) {
        let (_folder, ledger) = place();
        let path = of_others(&name);
        let files = |domain: &FrameDomain| {
            let (domain, reader) = (domain.clone(), Arrow::new().drop_null("n"));
            let made = match FileKind::of(&path) {
                FileKind::Arrow => Files::ipc(domain, reader, [&path]),
                _ => Files::parquet(domain, reader, [&path]),
            };
            made.unwrap()
        };
        for (wrong, kind) in
            [("cost", "text"), ("zoned", "date"), ("list", "float"), ("b", "integer"), ("nowhere", "text")]
        {
            let domain = domain(&[("n", "integer"), (wrong, &format!("{kind}(missing)"))]);
            let mut session = session(&ledger, files(&domain));
            let error = count(&mut session, &domain, "count").unwrap_err();
            assert!(matches!(error, Error::Source { .. }), "{error}");
            let told = error.to_string();
            assert!(told.contains(&format!("column {wrong}: is ")) && !told.contains("the charge stands"), "{told}");
            assert_eq!(session.budget().unwrap().spent, Loss::epsilon(0.0).unwrap(), "{name} {wrong}");
        }
        let right = domain(&[
            ("n", "integer"),
            ("small", "integer(missing)"),
            ("x", "float(missing)"),
            ("f", "float(missing)"),
            ("b", "bool(missing)"),
            ("t", "text(missing)"),
            ("c", "category(\"north\", missing)"),
            ("day", "date(missing)"),
            ("at", "time(missing)"),
            ("zoned", "time(missing)"),
            ("cost", "float(missing)"),
            ("whole", "integer(missing)"),
        ]);
        count(&mut session(&ledger, files(&right)), &right, "count").unwrap();
    }
}

/// A pipe gives its rows to one release; a named one would be opened twice.
#[cfg(target_os = "linux")]
#[test]
fn pipes() {
    use std::{io::Write, os::fd::AsRawFd, process::Command};
    let (folder, ledger) = place();
    let domain = domain(&[("n", "integer"), ("x", "float(missing)")]);
    let files = |path: &Path| Files::csv(domain.clone(), Csv::new().drop_null("n"), [path]).unwrap();
    let spent = |session: &Session| session.budget().unwrap().spent;
    let name = folder.path().join("rows");
    assert!(Command::new("mkfifo").arg(&name).status().unwrap().success());
    let mut named = session(&ledger, files(&name));
    let error = count(&mut named, &domain, "named").unwrap_err();
    assert!(error.to_string().contains("is a named pipe"), "{error}");
    assert_eq!(spent(&named), Loss::epsilon(0.0).unwrap());

    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"n,x\n1,2\n2,3\n").unwrap();
    drop(writer);
    let path = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
    let mut session = session(&ledger, files(&path));
    count(&mut session, &domain, "first").unwrap();
    let once = spent(&session);
    let error = count(&mut session, &domain, "second").unwrap_err();
    assert!(error.to_string().contains("whose rows an earlier release has read"), "{error}");
    assert_eq!(spent(&session), once);
    let parquet = Files::parquet(domain.clone(), Arrow::new().drop_null("n"), [&path]).unwrap();
    assert!(parquet.check().unwrap_err().to_string().contains("from which Parquet and Arrow IPC cannot be read"));
}
