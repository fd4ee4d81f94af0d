//! The form in which a ledger stores a release.

use crate::{
    certificate::Certificate,
    error::{Error, Fallible},
};
use indistinct::core::Released;
use serde_json::{Value, json};

/// A release with its certificate.
pub(crate) struct Stored {
    pub(crate) released: Released,
    pub(crate) certificate: Certificate,
}

impl Stored {
    /// Makes this from a release and its certificate, which gets the release's hash.
    pub(crate) fn new(released: Released, certificate: Certificate) -> Self {
        let certificate = certificate.of_release(&released.to_json());
        Self { released, certificate }
    }

    pub(crate) fn text(&self) -> Fallible<String> {
        Ok(json!({ "certificate": self.certificate.to_json()?, "released": self.released.to_json() }).to_string())
    }

    pub(crate) fn read(bytes: &[u8]) -> Fallible<Self> {
        let unreadable = || Error::Session("the ledger's release of this name was not made by a session".into());
        let value: Value = serde_json::from_slice(bytes).map_err(|_| unreadable())?;
        let text = |name| value.get(name).and_then(Value::as_str).ok_or_else(unreadable);
        let released = Released::from_json(text("released")?).map_err(|_| unreadable())?;
        Ok(Self { released, certificate: Certificate::from_json(text("certificate")?)? })
    }
}
