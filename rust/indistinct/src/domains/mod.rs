//! Sets of values that data may have.

pub(crate) mod atom;
mod ball;
pub(crate) mod canonical;
mod map;
pub(crate) mod option;
mod pair;
pub(crate) mod row;
mod vector;

pub use atom::AtomDomain;
pub(crate) use atom::{Atom, Number};
pub(crate) use atom::{checked_bounds, magnitude_and_range};
pub use ball::{BallDomain, Norm};
pub(crate) use canonical::Canonical;
pub use map::MapDomain;
pub(crate) use option::NullDomain;
pub use option::OptionDomain;
pub use pair::PairDomain;
pub(crate) use row::RowDomain;
pub use vector::VectorDomain;
