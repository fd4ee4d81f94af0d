//! Checks of SQLite's journal beside a ledger's file. SQLite uses it to undo a commit that a crash interrupted, and
//! accepts any file of that name, even the journal of another database.

use crate::{
    checkpoint::Checkpoint,
    error::{Error, Fallible},
    place::Place,
    verify::verify,
};
use rusqlite::{Connection, MAIN_DB, OpenFlags, Transaction, TransactionBehavior};
use std::{
    ffi::OsString,
    fmt::Write,
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The first bytes of a journal that is on the disk, which happens before the first write to the file itself.
const MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
/// The number of times to look again: a commit takes some 20 ms, while a journal of another file stays unchanged.
const LOOKS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(5);

/// Returns the name of a file with an ending, such as that of SQLite's journal.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Checks that there is no journal beside a file that is about to be created.
pub(crate) fn check_nothing(path: &Path) -> Fallible<()> {
    for ending in ["-journal", "-wal"] {
        let other = beside(path, ending);
        if fs::symlink_metadata(&other).is_ok() {
            let path = other.display();
            return Err(Error::Misplaced(format!("{path} exists already, and belongs to another ledger of this name")));
        }
    }
    Ok(())
}

/// Checks that the journal, which SQLite would undo, belongs to this very file.
///
/// The file is read without SQLite's locks, because SQLite undoes the journal with the first lock, before it could be
/// checked. Another process may be committing meanwhile, so this looks several times.
pub(crate) fn check_own(place: &Place) -> Fallible<()> {
    let log = beside(place.path(), "-wal");
    if fs::symlink_metadata(&log).is_ok() {
        let path = log.display();
        return Err(Error::Misplaced(format!("{path} belongs to another program or another file: move it away")));
    }
    let path = beside(place.path(), "-journal");
    let mut is_stable = false;
    for _ in 0..LOOKS {
        let Some(journal) = read(&path)? else { return Ok(()) };
        if !is_hot(&journal) {
            return Ok(());
        }
        let page = unlocked(place.path()).and_then(first_page).unwrap_or_default();
        let is_own = match owner(&journal, &page, place.mark()) {
            Owner::This => true,
            Owner::Other => false,
            Owner::ThisIfTorn => unlocked(place.path()).is_some_and(|file| !is_whole(&file)),
        };
        if is_own {
            return Ok(());
        }
        // The page was read while this journal existed.
        is_stable = read(&path)?.as_ref() == Some(&journal);
        thread::sleep(BETWEEN);
    }
    if !is_stable {
        return Err(Error::Busy);
    }
    Err(Error::Misplaced(format!(
        "{} is not a journal of the current file: a killed program left it, and it belongs to another file, or to \
         this one before it was moved; move it away, and run `ledger verify`",
        path.display()
    )))
}

fn read(path: &Path) -> Fallible<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reads a file without locks and without a journal. SQLite opens it, because opening and closing it directly would
/// drop the locks that other threads of this process hold on it (POSIX).
fn unlocked(path: &Path) -> Option<Connection> {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || *byte == b'/' {
            address.push(char::from(*byte));
        } else {
            write!(address, "%{byte:02X}").ok()?;
        }
    }
    address.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags).ok()
}

fn first_page(mut connection: Connection) -> Option<Vec<u8>> {
    // SQLite also does not read a file if its first page states that the file is longer.
    connection.execute_batch("PRAGMA writable_schema = ON").ok()?;
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).ok()?;
    connection.serialize(MAIN_DB).ok()?.get(..usize::try_from(size).ok()?).map(<[u8]>::to_vec)
}

fn is_whole(connection: &Connection) -> bool {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Deferred);
    transaction.is_ok_and(|mut transaction| check_pages_and_entries(&mut transaction).is_ok())
}

/// Checks that SQLite's pages are consistent, and that everything follows from the entries.
pub(crate) fn check_pages_and_entries(transaction: &mut Transaction<'_>) -> Fallible<()> {
    let found: String = transaction.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(Error::Tampered(found));
    }
    verify(transaction, &Checkpoint::nothing(), None).map(drop)
}

/// Returns true if SQLite would undo or delete the journal. A half-written header undoes nothing.
fn is_hot(journal: &[u8]) -> bool {
    let Some(begun) = journal.get(..MAGIC.len()) else { return !journal.is_empty() };
    let written = begun.iter().zip(&MAGIC).take_while(|(found, known)| found == known).count();
    written == MAGIC.len() || begun.iter().skip(written).any(|byte| *byte != 0)
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}

/// Returns numbers of a journal's header: records, pages before the commit, the size of a sector (which contains the
/// header), and the size of a page.
fn header(journal: &[u8]) -> Option<[usize; 4]> {
    let is_one = journal.get(..8)? == MAGIC;
    let fields = [number(journal, 8)?, number(journal, 16)?, number(journal, 20)?, number(journal, 24)?];
    (is_one && fields[2] > 0 && fields[3] > 0).then_some(fields)
}

/// Returns the first page as it was before the commit. It counts commits, so each commit changes it, and each journal
/// contains it.
fn original(journal: &[u8]) -> Option<&[u8]> {
    let [records, _, sector, size] = header(journal)?;
    let record = size.checked_add(8)?;
    let mut records = journal.get(sector..)?.chunks_exact(record).take(records);
    records.find(|record| number(record, 0) == Some(1))?.get(4..size.checked_add(4)?)
}

/// Returns the number of commits in a first page, and the place that it names.
fn count_and_place(page: &[u8]) -> Option<(usize, i64)> {
    Some((number(page, 24)?, i64::try_from(number(page, 60)? >> 8).ok()?))
}

/// The owner of a journal.
#[derive(Debug, PartialEq, Eq)]
enum Owner {
    This,
    Other,
    /// This file's, if it was moved here with the journal. If the file is intact, the journal belongs to another
    /// commit.
    ThisIfTorn,
}

/// Returns the owner of a journal. The file is as it was before the commit, or its first page, which is written first,
/// is already that of the commit: it counts one more commit, and names this place or the place of the page before.
fn owner(journal: &[u8], page: &[u8], here: i64) -> Owner {
    let Some((count, place)) = count_and_place(page) else { return Owner::Other };
    let Some(original) = original(journal) else {
        // The file had no pages: it was being created.
        let is_making = header(journal).is_some_and(|[records, pages, ..]| records == 0 && pages == 0);
        return if is_making && count <= 1 { Owner::This } else { Owner::Other };
    };
    match count_and_place(original) {
        _ if original == page => Owner::This,
        Some((before, _)) if before.checked_add(1) != Some(count) => Owner::Other,
        Some(_) if place == here => Owner::This,
        Some((_, named)) if place == named => Owner::ThisIfTorn,
        _ => Owner::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(count: u32, place: u32, rest: u8) -> Vec<u8> {
        let mut page = vec![rest; 512];
        page[24..28].copy_from_slice(&count.to_be_bytes());
        page[60..64].copy_from_slice(&(place << 8 | 2).to_be_bytes());
        page
    }

    fn journal(records: &[(u32, &[u8])], count: u32, pages: u32) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[..8].copy_from_slice(&MAGIC);
        for (at, field) in [(8, count), (12, 99), (16, pages), (20, 512), (24, 512)] {
            bytes[at..at + 4].copy_from_slice(&field.to_be_bytes());
        }
        for (number, page) in records {
            bytes.extend(number.to_be_bytes());
            bytes.extend(*page);
            bytes.extend([0; 4]);
        }
        bytes
    }

    #[test]
    fn a_journal_is_that_of_its_file_alone() {
        let (before, other) = (page(7, 5, 1), page(9, 9, 9));
        let own = journal(&[(3, &other), (1, &before)], 2, 4);
        let is_own = |journal: &[u8], page: &[u8], here| owner(journal, page, here) == Owner::This;
        assert!(is_own(&own, &before, 5), "nothing was written yet");
        assert!(is_own(&own, &page(8, 5, 2), 5), "the first page was written");
        assert!(is_own(&own, &page(8, 6, 2), 6), "the first commit at a new place");
        assert_eq!(owner(&own, &page(8, 5, 2), 6), Owner::ThisIfTorn, "both moved, or a commit at the old place");
        for (page, why) in [
            (page(9, 5, 2), "a later commit"),
            (page(6, 5, 2), "an earlier copy"),
            (page(7, 5, 2), "another file with as many commits"),
            (page(8, 6, 2), "another file, or this one after a commit elsewhere"),
        ] {
            assert_eq!(owner(&own, &page, 5), Owner::Other, "{why}");
        }
        assert!(!is_own(&journal(&[(3, &other)], 1, 4), &before, 5), "no first page");
        assert!(!is_own(&journal(&[(3, &other), (1, &before)], 1, 4), &before, 5), "behind the last record");
        assert!(!is_own(b"not a journal", &before, 5) && is_hot(b"not a journal"));
        assert!(!is_hot(&[0; 600]) && !is_hot(&[]));
        let half = [&MAGIC[..6], &[0; 506]].concat();
        assert!(!is_hot(&half) && is_hot(&MAGIC) && is_hot(&own));
        let making = journal(&[], 0, 0);
        assert!(is_own(&making, &page(1, 5, 1), 5) && !is_own(&making, &page(2, 5, 1), 5));
    }
}
