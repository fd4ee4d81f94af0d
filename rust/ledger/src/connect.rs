//! Connections to a server, which are encrypted unless they stay on this machine.

use crate::error::{Error, Fallible};
use postgres::{
    Client, Config, NoTls,
    config::{Host, SslMode},
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use std::{
    net::{IpAddr, ToSocketAddrs},
    sync::Arc,
};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Connects to a server. A connection to another machine is encrypted, and the server must present a certificate for
/// its name, unless the description states that the network is private.
pub(crate) fn connect(server: &str) -> Fallible<Client> {
    let config: Config = server.parse()?;
    match config.get_ssl_mode() {
        SslMode::Require => Ok(config.connect(tls()?)?),
        SslMode::Disable => Ok(config.connect(NoTls)?),
        _ if stays(&config) => Ok(config.connect(NoTls)?),
        _ => {
            let rule = "is another machine: use sslmode=require, or sslmode=disable on a private network";
            Err(Error::parameter("server", rule))
        }
    }
}

/// Returns true if every address of the server is on this machine. A host name does not count, because another machine
/// may answer for it; `localhost` is resolved.
fn stays(config: &Config) -> bool {
    let is_here = |host: &Host| match host {
        Host::Tcp(name) if name == "localhost" => (name.as_str(), 0)
            .to_socket_addrs()
            .is_ok_and(|mut addresses| addresses.all(|address| address.ip().is_loopback())),
        Host::Tcp(name) => name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    };
    config.get_hosts().iter().all(is_here) && config.get_hostaddrs().iter().all(IpAddr::is_loopback)
}

/// Certificates are checked against the system's authorities, or those in the file that `SSL_CERT_FILE` names.
fn tls() -> Fallible<MakeRustlsConnect> {
    let mut authorities = RootCertStore::empty();
    authorities.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if authorities.is_empty() {
        return Err(Error::Refused("no certificate authorities are known: set SSL_CERT_FILE".into()));
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Storage(Box::new(error)))?
        .with_root_certificates(authorities)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_machine_is_not_sent_in_the_open() {
        for (server, is_here) in [
            ("host=/run/postgresql user=ann", true),
            ("host=localhost user=ann", true),
            ("host=127.0.0.1 user=ann", true),
            ("host=::1 user=ann", true),
            ("host=/run/postgresql,example.org user=ann", false),
            ("host=localhost hostaddr=192.0.2.1 user=ann", false),
            ("host=192.0.2.1 user=ann", false),
            ("postgresql://ann@example.org/budgets", false),
            ("host=localhost.example.org user=ann", false),
        ] {
            assert_eq!(stays(&server.parse().unwrap()), is_here, "{server}");
        }
        for server in ["host=192.0.2.1 user=ann", "host=192.0.2.1 user=ann sslmode=prefer"] {
            let refused = connect(server).err().unwrap().to_string();
            assert!(refused.contains("sslmode=require"), "{refused}");
        }
    }
}
