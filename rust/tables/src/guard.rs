//! Protection against panics in libraries that read the bytes of files.

use std::cell::Cell;
#[cfg(any(feature = "parquet", feature = "ipc"))]
use {
    crate::{Error, Result},
    arrow_array::RecordBatch,
    std::{
        iter,
        panic::{AssertUnwindSafe, catch_unwind},
    },
};

thread_local! {
    static READS: Cell<bool> = const { Cell::new(false) };
}

/// Returns true if this thread is in a library that reads the bytes of a file. If the bytes contradict each other, the
/// library may panic with a message that quotes them; the panic is caught, and becomes an error that quotes nothing. In
/// a program that shows errors to others, a panic hook should return immediately if this function returns true.
///
/// ```
/// let standard = std::panic::take_hook();
/// std::panic::set_hook(Box::new(move |panic| {
///     if !indistinct_tables::is_reading() {
///         standard(panic);
///     }
/// }));
/// ```
pub fn is_reading() -> bool {
    READS.get()
}

/// Returns the result of a library's work on bytes, or an error if it panics.
#[cfg(any(feature = "parquet", feature = "ipc"))]
pub(crate) fn guarded<T>(format: &str, work: impl FnOnce() -> T) -> Result<T> {
    let before = READS.replace(true);
    // What the work has changed is not looked at after a panic.
    let done = catch_unwind(AssertUnwindSafe(work));
    READS.set(before);
    done.map_err(|_| malformed(format))
}

/// Returns the batches that a library reads, up to the first error.
#[cfg(any(feature = "parquet", feature = "ipc"))]
pub(crate) fn guarded_batches<E>(
    format: &'static str,
    mut batches: impl Iterator<Item = std::result::Result<RecordBatch, E>>,
    unread: fn(&E) -> Error,
) -> impl Iterator<Item = Result<RecordBatch>> {
    let mut has_ended = false;
    iter::from_fn(move || {
        if has_ended {
            return None;
        }
        let batch = match guarded(format, || batches.next()) {
            Ok(batch) => batch.map(|batch| batch.map_err(|error| unread(&error))),
            Err(error) => Some(Err(error)),
        };
        has_ended = !matches!(batch, Some(Ok(_)));
        batch
    })
}

#[cfg(any(feature = "parquet", feature = "ipc"))]
pub(crate) fn malformed(format: &str) -> Error {
    Error::file(format!("is malformed, and cannot be read as {format}"))
}

#[cfg(all(test, feature = "parquet", feature = "ipc"))]
#[allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]
mod tests {
    use super::{guarded, is_reading};
    use crate::{Arrow, Error};
    use indistinct::frames::FrameDomain;
    use std::{fs, panic, path::Path};

    /// Suppresses the messages of panics in libraries.
    fn be_silent() {
        let standard = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !is_reading() {
                standard(panic);
            }
        }));
    }

    #[test]
    fn a_panic_is_an_error_that_quotes_nothing() {
        be_silent();
        assert!(guarded("Parquet", is_reading).unwrap());
        let error = guarded("Parquet", || panic!("secret")).unwrap_err();
        assert_eq!(error.to_string(), "file: is malformed, and cannot be read as Parquet");
        assert!(!is_reading());
    }

    /// Returns true if an error is about a malformed file; it is one of few, and quotes no cell.
    fn is_malformed(error: &Error) -> bool {
        let text = error.to_string();
        let rule = text.rsplit(": ").next().unwrap();
        let rules = ["is malformed", "is not Parquet", "cannot be read as"];
        assert!(text.starts_with("column ") || rules.iter().any(|known| rule.starts_with(known)), "{text}");
        assert!(!text.contains("Bern") && !format!("{error:?}").contains("Bern"), "{text}");
        rule.starts_with("is malformed")
    }

    /// The bytes of a file may contradict each other, so that the libraries that read it panic. With any byte changed a
    /// file is read or refused, before its rows are if the footer shows it.
    #[test]
    fn malformed_files_are_refused_without_a_panic_or_a_quote() {
        be_silent();
        let directory = tempfile::tempdir().unwrap();
        let column = |kind: &str| kind.parse::<indistinct::frames::ColumnDomain>().unwrap();
        let domain = FrameDomain::new([("n", column("integer(missing)")), ("t", column("text(missing)"))]).unwrap();
        let (mut by_footer, mut by_rows) = (0, 0);
        for name in ["none.parquet", "zstd.arrow"] {
            let path = directory.path().join(name);
            let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)).unwrap();
            for (place, change) in (0..bytes.len()).flat_map(|place| [0x80, 0xff].map(|change| (place, change))) {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                fs::write(&path, changed).unwrap();
                let reader = Arrow::new();
                let (checked, read) = if name.ends_with("parquet") {
                    (reader.check_parquet(&path, &domain), reader.parquet(&path, &domain))
                } else {
                    (reader.check_ipc(&path, &domain), reader.ipc(&path, &domain))
                };
                match (checked, read) {
                    (Err(error), Err(_)) => by_footer += u32::from(is_malformed(&error)),
                    (Ok(()), Err(error)) => by_rows += u32::from(is_malformed(&error)),
                    (Ok(()), Ok(_)) => {}
                    (Err(error), Ok(_)) => panic!("{name} {place}: {error}"),
                }
            }
        }
        assert!(by_footer > 0 && by_rows > 0, "{by_footer} by the footer, {by_rows} by rows");
    }
}
