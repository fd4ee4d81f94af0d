//! Data are members of the declared domain.

use super::{Domain, Error, ErrorKind, Fallible};

/// Refuse data outside the declared domain, which is public, without a word about them.
pub(crate) fn check_member<D: Domain>(domain: &D, data: &D::Carrier) -> Fallible<()> {
    admitted(domain.member(data), domain)
}

pub(super) fn admitted(is_member: bool, domain: &impl Domain) -> Fallible<()> {
    let message = || format!("the data are not a member of the declared input domain, {domain:?}");
    if is_member { Ok(()) } else { Err(Error::new(ErrorKind::Domain, message())) }
}
