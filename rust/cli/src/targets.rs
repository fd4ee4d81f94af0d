//! Files that results are written to: refused before anything is paid, and written whole or not at all.

use crate::failure::Failure;
use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile};

/// The files that a command writes, by the names of its options.
pub(crate) struct Targets {
    targets: Vec<Target>,
    /// True if what is there is overwritten.
    force: bool,
}

struct Target {
    option: &'static str,
    path: PathBuf,
    /// A temporary file beside it, which shows that the folder can be written to.
    temporary: NamedTempFile,
}

impl Targets {
    /// Files that can be written: none is what the command reads, or another one of them, by whatever path or link;
    /// none is there already, unless by `force`; and each has a folder that can be written to.
    pub(crate) fn new(
        options: &[(&'static str, Option<&Path>)],
        inputs: &[(&str, &Path)],
        force: bool,
    ) -> Result<Self, Failure> {
        let mut targets: Vec<Target> = Vec::new();
        for (option, path) in options.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
            let refuse = |code, rule: String| Failure::new(code, format!("{option} {}: {rule}", path.display()));
            if let Some((name, _)) = inputs.iter().find(|(_, input)| is_one_file(path, input)) {
                return Err(refuse(2, format!("is {name}, which is not overwritten")));
            }
            if let Some(other) = targets.iter().find(|other| is_one_file(path, &other.path)) {
                return Err(refuse(2, format!("is also the target of {}", other.option)));
            }
            let there = fs::symlink_metadata(path);
            if path.is_dir() || there.is_ok() && path.exists() && !path.is_file() {
                return Err(refuse(7, "exists and is not a file".into()));
            }
            if there.is_ok() && !force {
                return Err(refuse(7, "exists already; --force overwrites it".into()));
            }
            let (path, temporary) = beside(path).map_err(|error| refuse(7, error.to_string()))?;
            targets.push(Target { option, path, temporary });
        }
        Ok(Self { targets, force })
    }

    /// Write the file of an option, if it was given: first beside it, then in its place.
    pub(crate) fn write(
        &mut self,
        option: &str,
        text: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let Some(place) = self.targets.iter().position(|target| target.option == option) else { return Ok(()) };
        let Target { path, mut temporary, .. } = self.targets.swap_remove(place);
        let failed = |error: io::Error| Failure::new(7, format!("{option} {}: {error}", path.display()));
        temporary.write_all(text()?.as_bytes()).and_then(|()| temporary.as_file().sync_all()).map_err(failed)?;
        let kept = match self.force {
            true => temporary.persist(&path),
            // Not every file system can tell, while it renames, whether there is something.
            false => temporary.persist_noclobber(&path).or_else(|error| match path.symlink_metadata() {
                Ok(_) => Err(error),
                Err(_) => error.file.persist(&path),
            }),
        };
        kept.map(drop).map_err(|error| failed(error.error))
    }
}

/// A path without links, and a temporary file beside it which may be read by whoever may read new files.
fn beside(path: &Path) -> io::Result<(PathBuf, NamedTempFile)> {
    let path = place(path)?;
    let mut builder = Builder::new();
    builder.prefix(".indistinct-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let temporary = builder.tempfile_in(path.parent().unwrap_or(Path::new("/")))?;
    Ok((path, temporary))
}

/// Where a path leads to; that of a file which is not there yet is in the place of its folder.
fn place(path: &Path) -> io::Result<PathBuf> {
    let missing = match fs::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => error,
        found => return found,
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(path.file_name().ok_or(missing)?))
}

/// Returns true if two paths lead to one file, which may have several names.
fn is_one_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt;
        if (one.dev(), one.ino()) == (other.dev(), other.ino()) {
            return true;
        }
    }
    matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
}
