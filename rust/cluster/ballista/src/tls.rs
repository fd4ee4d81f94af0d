//! Certificates of both sides.

use ballista_core::extension::{EndpointOverrideFn, SessionConfigExt};
use datafusion::prelude::SessionConfig;
use std::{fmt, fs, io, path::Path, sync::Arc};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity, ServerTlsConfig};

/// This machine's certificate with its key, and the authority that signed all machines' certificates.
#[derive(Clone)]
pub struct Tls {
    authority: Certificate,
    identity: Identity,
}

/// Keys are secret.
impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads PEM files.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read.
    pub fn read(authority: &Path, certificate: &Path, key: &Path) -> io::Result<Self> {
        let identity = Identity::from_pem(fs::read(certificate)?, fs::read(key)?);
        Ok(Self { authority: Certificate::from_pem(fs::read(authority)?), identity })
    }

    /// The configuration of a server, which answers only clients with a certificate of the authority.
    pub(crate) fn server(&self) -> ServerTlsConfig {
        ServerTlsConfig::new().identity(self.identity.clone()).client_ca_root(self.authority.clone())
    }

    /// The configuration of a client, which accepts only servers with a certificate of the authority for their name.
    fn client(&self) -> ClientTlsConfig {
        ClientTlsConfig::new().identity(self.identity.clone()).ca_certificate(self.authority.clone())
    }

    fn endpoint(&self) -> EndpointOverrideFn {
        let client = self.client();
        Arc::new(move |endpoint: Endpoint| Ok(endpoint.tls_config(client.clone())?))
    }
}

/// The settings of every connection that this machine opens.
pub(crate) fn endpoint(tls: Option<&Tls>) -> Option<EndpointOverrideFn> {
    tls.map(Tls::endpoint)
}

/// The address of a name and port.
pub(crate) fn address(tls: Option<&Tls>, name: &str) -> String {
    format!("{}://{name}", if tls.is_some() { "https" } else { "http" })
}

/// A session whose connections are such.
pub(crate) fn session(tls: Option<&Tls>) -> SessionConfig {
    let session = SessionConfig::new_with_ballista().with_ballista_grpc_client_max_message_size(crate::MESSAGE);
    match tls {
        Some(tls) => {
            session.with_ballista_use_tls(true).with_ballista_override_create_grpc_client_endpoint(tls.endpoint())
        }
        None => session,
    }
}
