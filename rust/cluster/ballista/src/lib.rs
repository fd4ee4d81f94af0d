//! Ballista as an engine of `indistinct`: the plan of `indistinct-datafusion`, run by processes on several machines.
//!
//! A *driver*, which runs at the data owner and has the ledger, sends a plan to a *scheduler*, which distributes its
//! tasks among *executors*. The executors read files, shuffle bytes among each other, and fold them. Their states come
//! back to the driver, which merges and checks them. Only the driver can draw noise.
//!
//! | | |
//! |---|---|
//! | [`Ballista`] | the engine, for a driver |
//! | [`Scheduler`], [`Executor`] | the two other sides; the program `indistinct-cluster` contains both |
//! | [`Tls`] | certificates of all sides: each presents its own and checks the other's |
//!
//! *An executor runs only our plan*: it checks each part of a plan that it is sent, as the driver does, and refuses all
//! nodes except ours, sorts, and shuffles by partition.
//!
//! *A lost executor* ends the run with one error, or its tasks run again elsewhere, and the state has the same bytes. A
//! run has a [deadline](Ballista::deadline), because Ballista may wait minutes for a lost executor. After the deadline,
//! the whole job may be [tried](Ballista::attempts) again.
//!
//! *Trusted parties*: executors see rows, and their shuffle files contain rows; a dishonest member of the cluster can
//! forge any state. The scheduler sees no rows, but could send any of our plans to executors, over any files that they
//! can read, and the states go to the party that asks. So both, and all holders of a certificate, are trusted like the
//! driver.
//!
//! No engine can draw noise: this crate depends neither on `indistinct-sampling` nor on `indistinct`.

mod codec;
mod engine;
mod executor;
mod scheduler;
mod tls;

pub use engine::Ballista;
pub use executor::Executor;
pub use scheduler::Scheduler;
pub use tls::Tls;

/// The reason why a scheduler or an executor stopped. Its text may name machines, and is for their operators.
pub type Stopped = Box<dyn std::error::Error + Send + Sync>;

/// The most bytes of one message between machines.
const MESSAGE: usize = 64 << 20;
