//! Signed certificates.

use crate::{
    certificate::Certificate,
    error::{Error, Fallible},
};
use ed25519_dalek::{Signature, Signer};
pub use ed25519_dalek::{SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

/// A certificate with an Ed25519 signature of its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Signed {
    /// The text of the certificate: [`Certificate::to_json`].
    pub certificate: String,
    /// The signature, in 128 hexadecimal digits.
    pub signature: String,
}

/// The prefix of signed texts, with which no other text begins.
const CONTEXT: &[u8] = b"indistinct-certificate-1\0";

fn message(certificate: &str) -> Vec<u8> {
    [CONTEXT, certificate.as_bytes()].concat()
}

impl Certificate {
    /// Signs the certificate with a key.
    ///
    /// # Errors
    ///
    /// Returns no error for a certificate that a session made.
    pub fn sign(&self, key: &SigningKey) -> Fallible<Signed> {
        let certificate = self.to_json()?;
        let signature = key.sign(&message(&certificate)).to_string().to_lowercase();
        Ok(Signed { certificate, signature })
    }
}

impl Signed {
    /// Returns the certificate, if this key signed it.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Certificate`] if the signature belongs to a different text or a different key.
    pub fn verify(&self, key: &VerifyingKey) -> Fallible<Certificate> {
        let refuse = || Error::Certificate("was not signed by this key".into());
        let signature: Signature = self.signature.parse().map_err(|_| refuse())?;
        key.verify_strict(&message(&self.certificate), &signature).map_err(|_| refuse())?;
        Certificate::from_json(&self.certificate)
    }
}
