//! The key of a row.

use crate::{
    core::{Error, Fallible},
    domains::AtomDomain,
    frames::{
        batch::Batch,
        cell::Kind,
        column::{Cells, Column},
        domain::FrameDomain,
    },
};

/// The column of keys.
#[derive(Clone, Copy)]
pub(super) struct Keys {
    column: usize,
}

impl Keys {
    /// The column of this name: of texts without missing cells.
    pub(super) fn new(frames: &FrameDomain, name: &str) -> Fallible<Self> {
        let described = frames.column(name)?;
        let refuse = |rule: &str| Err(Error::parameter("key", format!("the column {name:?} {rule}")));
        if described.kind() != Kind::Text {
            return refuse("must hold texts: cast it, or use text_key");
        }
        if described.has_missing() {
            return refuse("may be missing: fill it, filter it, or use text_key");
        }
        Ok(Self { column: frames.position(name)? })
    }

    /// The domain of keys.
    pub(super) fn domain() -> AtomDomain<String> {
        AtomDomain::string()
    }

    /// The keys of the rows of a batch, in order.
    pub(super) fn of(self, batch: &Batch) -> impl Iterator<Item = &str> {
        let texts = match batch.columns().get(self.column) {
            Some(Column(Cells::Text(array))) => Some(array),
            _ => None,
        };
        texts.into_iter().flat_map(|array| array.iter()).map(Option::unwrap_or_default)
    }
}
