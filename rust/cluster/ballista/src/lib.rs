//! Ballista as an engine of `indistinct`: the plan of `indistinct-datafusion`, run by processes on several machines.
//!
//! A *driver*, which has the data's owner and the ledger, sends a plan to a *scheduler*, which shares its tasks out
//! among *executors*. They read files, shuffle bytes among each other, and fold them; their states come back to the
//! driver, which merges and checks them, and alone can draw.
//!
//! | | |
//! |---|---|
//! | [`Ballista`] | the engine, for a driver |
//! | [`Scheduler`], [`Executor`] | the two other sides; `indistinct-cluster` is a program of both |
//! | [`Tls`] | certificates of all sides: each shows its own and asks for the other's |
//!
//! *An executor runs only our plan*: it checks each part of a plan that it is sent, as the driver does, and refuses any
//! node but ours, sorts and shuffles by partition.
//!
//! *A lost executor* ends the run with one error, or its tasks run again elsewhere, and the state is the same bytes. A
//! run has a [deadline](Ballista::deadline), since Ballista may wait for minutes for an executor that is gone; by then
//! the whole job may be [tried](Ballista::attempts) again.
//!
//! *Trusted parties*: executors see rows, and their shuffle files hold them; a member of the cluster that lies in its
//! states can make up any. The scheduler sees no rows, but could send any of our plans to executors, over any files
//! that they can read, and the states go to the party that asks. So both, and all holders of a certificate, are trusted
//! like the driver.
//!
//! No engine can draw: this crate depends neither on `indistinct-sampling` nor on `indistinct`.

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
