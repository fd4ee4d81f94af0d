//! The check that data are members of the declared domain.

use super::{Domain, Error, ErrorKind, Fallible};

/// Returns an error for data outside the declared domain. The error names the domain, which is public, and nothing
/// about the data.
pub(crate) fn check_member<D: Domain>(domain: &D, data: &D::Carrier) -> Fallible<()> {
    admitted(domain.member(data), domain)
}

pub(super) fn admitted(is_member: bool, domain: &impl Domain) -> Fallible<()> {
    let message = || format!("the data are not a member of the declared input domain, {domain:?}");
    if is_member { Ok(()) } else { Err(Error::new(ErrorKind::Domain, message())) }
}
