//! Sets of values: what data may be.

mod atom;
mod ball;
mod canonical;
mod map;
mod option;
mod pair;
mod row;
mod vector;

pub use atom::{Atom, AtomDomain, Number};
pub(crate) use atom::{checked_bounds, magnitude_and_range};
pub use ball::{BallDomain, Norm};
pub use canonical::Canonical;
pub use map::MapDomain;
pub use option::{NullDomain, OptionDomain};
pub use pair::PairDomain;
pub use row::RowDomain;
pub use vector::VectorDomain;
