//! The texts of a workspace, as they are on disk or as they were in a commit.

use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};
use walkdir::WalkDir;

/// What is read: sources, and what decides how they are built. On disk, settings in any other folder are read too, so
/// that they can be refused.
const PLACES: [&str; 7] =
    ["rust", "examples", "tests", "proofs/oracle", "Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// Texts by their paths in the workspace, with forward slashes.
pub(crate) struct Sources(BTreeMap<String, String>);

impl Sources {
    pub(crate) fn on_disk(root: &Path) -> Result<Self> {
        let mut texts = BTreeMap::new();
        for place in PLACES.map(|place| root.join(place)) {
            if !place.exists() {
                continue;
            }
            let is_kept = |entry: &walkdir::DirEntry| entry.file_name() != "target";
            for found in WalkDir::new(place).into_iter().filter_entry(is_kept) {
                let found = found?;
                let file = found.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
                if found.file_type().is_file() && is_read(&file) {
                    let text = fs::read_to_string(found.path()).with_context(|| format!("cannot read {file}"))?;
                    texts.insert(file, text);
                }
            }
        }
        let is_kept = |entry: &walkdir::DirEntry| entry.file_name() != "target" && entry.file_name() != ".git";
        for found in WalkDir::new(root).into_iter().filter_entry(is_kept) {
            let found = found?;
            let file = found.path().strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            if !found.file_type().is_dir() && is_setting(&file) && !texts.contains_key(&file) {
                texts.insert(file, String::new());
            }
        }
        Ok(Self(texts))
    }

    /// The texts in a commit of the repository that the workspace is in.
    pub(crate) fn in_commit(root: &Path, commit: &str) -> Result<Self> {
        let list =
            git(root, ["ls-tree", "-r", "-z", "--name-only", commit, "--"].iter().chain(&PLACES), String::new())?;
        let list = String::from_utf8(list).context("the name of a file is not text")?;
        let files: Vec<&str> = list.split('\0').filter(|file| is_read(file)).collect();
        let wanted: String = files.iter().map(|file| format!("{commit}:./{file}\n")).collect();
        let answer = git(root, &["cat-file", "--batch"], wanted)?;
        let (mut texts, mut rest) = (BTreeMap::new(), answer.as_slice());
        for file in files {
            let (text, after) = first_text(rest).with_context(|| format!("git does not give {file} in {commit}"))?;
            texts.insert(file.to_owned(), text.to_owned());
            rest = after;
        }
        Ok(Self(texts))
    }

    pub(crate) fn get(&self, file: &str) -> Option<&str> {
        self.0.get(file).map(String::as_str)
    }

    /// The files and their texts, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(file, text)| (file.as_str(), text.as_str()))
    }
}

/// Whether Cargo or rustup reads a file of this name, in whatever folder, when code is built.
pub(crate) fn is_setting(file: &str) -> bool {
    let mut parts = file.rsplit('/');
    match (parts.next(), parts.next()) {
        (Some("config" | "config.toml"), Some(".cargo")) => true,
        (Some(name), _) => ["rust-toolchain", "rust-toolchain.toml"].contains(&name),
        (None, _) => false,
    }
}

fn is_read(file: &str) -> bool {
    [".rs", ".toml", ".lock"].iter().any(|end| file.ends_with(end))
}

/// The first text of `git cat-file --batch`, `<name> blob <length>`, a line break, the text, a line break; and the
/// rest.
fn first_text(answer: &[u8]) -> Option<(&str, &[u8])> {
    let end = answer.iter().position(|byte| *byte == b'\n')?;
    let (head, rest) = answer.split_at(end);
    let length: usize = std::str::from_utf8(head).ok()?.rsplit_once(" blob ")?.1.parse().ok()?;
    let (text, rest) = rest.get(1..)?.split_at_checked(length)?;
    Some((std::str::from_utf8(text).ok()?, rest.get(1..)?))
}

/// What git prints when it is given these words and this input.
pub(crate) fn git<'a>(root: &Path, words: impl IntoIterator<Item = &'a &'a str>, input: String) -> Result<Vec<u8>> {
    let words = words.into_iter().map(OsStr::new);
    let mut child = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("git does not start")?;
    let Some(mut stdin) = child.stdin.take() else { bail!("git does not listen") };
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output()?;
    // Git that stops early says why below.
    drop(writer.join());
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(output.stdout)
}
