//! The state of rows that arrive in parts, which can be sent to other processes as bytes.

use super::FrameMeasurement;
use crate::{
    core::{Encoded, Error, ErrorKind, Fallible, PrivateAggregate, Released, require, take},
    frames::{Batch, FrameDomain},
};
#[cfg(feature = "testing")]
use indistinct_sampling::Entropy;
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, fmt};

/// The state of a plan's release over the rows seen so far. **It is not private**: it contains the rows, or sums of
/// them.
///
/// Any number of states absorb rows, in any order, and merge to one state, whose release is the same as that of
/// [`invoke`](FrameMeasurement::invoke) on all rows. A state has the same bytes for the same rows, whatever the way in
/// which the rows were split. Other processes read these bytes ([`FrameMeasurement::read_state`]) and must trust their
/// source: forged bytes are rejected, or count as rows that do not exist.
///
/// If a step of the plan needs all rows of an individual together, states absorb rows by [partitions of
/// individuals](FrameDomain::partitions).
///
/// ```
/// use indistinct::{frames::*, plans::FrameMeasurement};
/// let plan = r#"
///     version = 2
///     metric = "SymmetricDistance"
///     [columns]
///     visits = "float(0.0..=40.0)"
///     [[steps]]
///     make = "rows"
///     columns = ["visits"]
///     [[steps]]
///     make = "sum"
///     [[steps]]
///     make = "laplace"
///     scale = 40
/// "#;
/// let plan = FrameMeasurement::from_toml(plan)?;
/// let of = |visits: [f64; 2]| Frame::new([("visits", visits.into_iter().collect::<Column>())]);
/// let bytes = plan.state()?.absorb(&of([3.0, 0.5])?)?.to_bytes()?;
/// let all = plan.read_state(&bytes)?.merge(plan.state()?.absorb(&of([12.0, 7.0])?)?)?;
/// assert_eq!(all.rows(), 4);
/// println!("about {:?}", all.release()?);
/// # Ok::<(), indistinct::core::Error>(())
/// ```
pub struct FrameState {
    digest: [u8; 32],
    partitions: Partitions,
    aggregate: PrivateAggregate<FrameDomain, Released>,
}

/// The partitions of individuals whose rows are in, and of how many. None of 0, before there are any; all are 0 of 1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Partitions {
    places: BTreeSet<u32>,
    number: u32,
}

/// The most partitions.
const MAX_PARTITIONS: u32 = 1 << 16;

impl Partitions {
    fn one(place: u32, number: u32) -> Fallible<Self> {
        require((1..=MAX_PARTITIONS).contains(&number), "partitions", "must be from 1 to 65536")?;
        require(place < number, "partitions", "must be numbered from 0 to one less than their total number")?;
        Ok(Self { places: [place].into(), number }.whole())
    }

    /// All of them are one.
    fn whole(self) -> Self {
        let is_whole = u32::try_from(self.places.len()).is_ok_and(|all| all == self.number) && self.number > 0;
        if is_whole { Self { places: [0].into(), number: 1 } } else { self }
    }

    fn and(self, others: Self) -> Fallible<Self> {
        if self.number == 0 {
            return Ok(others);
        }
        let is_apart = self.places.is_disjoint(&others.places);
        if others.number > 0 && !(is_apart && self.number == others.number) {
            let rule = "each partition of individuals can be merged only once, and all partitions must have the same \
                        total number";
            return Err(Error::new(ErrorKind::Mismatch, rule));
        }
        Ok(Self { places: self.places.into_iter().chain(others.places).collect(), ..self }.whole())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.number.encode(bytes);
        u32::try_from(self.places.len()).unwrap_or(u32::MAX).encode(bytes);
        self.places.iter().for_each(|place| place.encode(bytes));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (number, length) = (u32::decode(bytes)?, u32::decode(bytes)?);
        let mut places = BTreeSet::new();
        for _ in 0..length {
            let place = u32::decode(bytes).filter(|place| *place < number)?;
            if places.last().is_some_and(|last| *last >= place) {
                return None;
            }
            places.insert(place);
        }
        let read = Self { places, number };
        let is_some = read.number > 0 && length > 0 || read == Self::default();
        (is_some && number <= MAX_PARTITIONS && read.clone().whole() == read).then_some(read)
    }
}

const MAGIC: &[u8] = b"indistinct state";
const VERSION: u8 = 1;
/// The bytes of a checksum.
const CHECKSUM: usize = 32;

impl FrameMeasurement {
    /// Returns the state without rows.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Whole`] if a step needs all rows at once, and not only all rows of an individual. Returns
    /// the errors of the map like [`invoke`](Self::invoke).
    pub fn state(&self) -> Fallible<FrameState> {
        let digest = Sha256::digest(self.to_json()?).into();
        Ok(FrameState { digest, partitions: Partitions::default(), aggregate: self.partial()? })
    }

    /// Reads the bytes of a state of this plan.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] for any other bytes, and the errors of [`state`](Self::state).
    pub fn read_state(&self, bytes: &[u8]) -> Fallible<FrameState> {
        let rule = "these are not the bytes of a state of this plan";
        self.state()?.read(bytes)?.ok_or_else(|| Error::new(ErrorKind::Mismatch, rule))
    }
}

impl FrameState {
    /// Returns true if all rows of an individual must be absorbed together.
    pub fn needs_individuals(&self) -> bool {
        self.aggregate.is_whole()
    }

    /// Returns the number of absorbed rows. It is private unless all neighbors have the same size.
    pub fn rows(&self) -> usize {
        self.aggregate.rows()
    }

    /// Returns this state with more rows absorbed.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if the rows are not in the table's domain, and [`ErrorKind::Whole`] if all rows of
    /// an individual must be absorbed together.
    pub fn absorb(self, rows: &[Batch]) -> Fallible<Self> {
        if self.needs_individuals() {
            let rule = "a step needs all rows of an individual together: absorb the rows by partitions of individuals";
            return Err(Error::new(ErrorKind::Whole, rule));
        }
        Ok(Self { aggregate: self.aggregate.absorb(rows)?, ..self })
    }

    /// Returns this state with all rows of one partition of individuals absorbed, as [`FrameDomain::partitions`]
    /// defines partitions.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] like [`absorb`](Self::absorb). Returns [`ErrorKind::Mismatch`] if a row does not
    /// belong to this partition, if this partition was already absorbed, or if the number of partitions differs from
    /// that of an absorbed one.
    pub fn absorb_partition(self, (place, number): (u32, u32), rows: &[Batch]) -> Fallible<Self> {
        if !self.needs_individuals() {
            return self.absorb(rows);
        }
        let partitions = self.partitions.and(Partitions::one(place, number)?)?;
        let domain = self.aggregate.domain();
        if !rows.iter().all(|batch| domain.places(batch, number).iter().all(|of| *of == place)) {
            return Err(Error::new(ErrorKind::Mismatch, "a row does not belong to this partition of individuals"));
        }
        Ok(Self { partitions, aggregate: self.aggregate.absorb(rows)?, ..self })
    }

    /// Returns one state with the rows of both.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Mismatch`] if the states belong to different plans, have a partition in common, or have
    /// different numbers of partitions.
    pub fn merge(self, other: Self) -> Fallible<Self> {
        if self.digest != other.digest {
            return Err(Error::new(ErrorKind::Mismatch, "only states of one plan can be merged"));
        }
        let partitions = self.partitions.and(other.partitions)?;
        Ok(Self { partitions, aggregate: self.aggregate.merge_alike(other.aggregate)?, ..self })
    }

    /// Returns the state as bytes: the same bytes for the same rows, whatever the way in which the rows were split.
    ///
    /// # Errors
    ///
    /// Returns no error for states that fit into memory.
    pub fn to_bytes(&self) -> Fallible<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(VERSION);
        bytes.extend_from_slice(&self.digest);
        u64::try_from(self.rows()).unwrap_or(u64::MAX).encode(&mut bytes);
        self.partitions.write(&mut bytes);
        self.aggregate.write(&mut bytes)?;
        let checksum = Sha256::digest(&bytes);
        bytes.extend_from_slice(&checksum);
        Ok(bytes)
    }

    /// Reads bytes into this state, which has no rows.
    fn read(self, bytes: &[u8]) -> Fallible<Option<Self>> {
        let Some((mut body, checksum)) = bytes.len().checked_sub(CHECKSUM).and_then(|end| bytes.split_at_checked(end))
        else {
            return Ok(None);
        };
        if Sha256::digest(body).as_slice() != checksum {
            return Ok(None);
        }
        let Self { digest, aggregate, .. } = self;
        let head = [MAGIC, &[VERSION], &digest].concat();
        let from = &mut body;
        if take(from, head.len()) != Some(&head) {
            return Ok(None);
        }
        let Some(rows) = u64::decode(from).and_then(|rows| usize::try_from(rows).ok()) else { return Ok(None) };
        let Some(partitions) = Partitions::read(from) else { return Ok(None) };
        let is_empty = partitions == Partitions::default();
        if (!aggregate.is_whole() && !is_empty) || (aggregate.is_whole() && is_empty && rows > 0) {
            return Ok(None);
        }
        let Some(aggregate) = aggregate.read(rows, from) else { return Ok(None) };
        Ok(from.is_empty().then_some(Self { digest, partitions, aggregate }))
    }

    /// Returns the error of [`release`](Self::release) if rows are missing. It releases nothing.
    ///
    /// # Errors
    ///
    /// Returns [`ErrorKind::Domain`] if the number of rows differs from the number that the domain states, and
    /// [`ErrorKind::Whole`] if a partition of individuals was not absorbed.
    pub fn check(&self) -> Fallible<()> {
        let domain = self.aggregate.domain();
        if domain.size().is_some_and(|size| size != self.rows()) {
            let rule = format!("the data are not a member of the declared input domain, {domain:?}");
            return Err(Error::new(ErrorKind::Domain, rule));
        }
        if self.needs_individuals() && self.partitions.number != 1 {
            return Err(Error::new(ErrorKind::Whole, "some partitions of individuals have not been absorbed"));
        }
        Ok(())
    }

    /// Makes a release on all rows together, like [`FrameMeasurement::invoke`]. Each release costs the loss of the
    /// plan, even from another state of the same rows.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`check`](Self::check), [`ErrorKind::Process`] in a forked child of the process that made
    /// the state, and [`ErrorKind::Entropy`].
    pub fn release(self) -> Fallible<Released> {
        self.check()?;
        self.aggregate.release()
    }

    /// Makes a release with randomness from `entropy`: for tests and audits, with the feature `testing`.
    #[cfg(feature = "testing")]
    pub fn release_with(self, entropy: &mut dyn Entropy) -> Fallible<Released> {
        self.check()?;
        self.aggregate.release_with(entropy)
    }
}

/// The contents are private data, so they are not printed.
impl fmt::Debug for FrameState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FrameState")
    }
}
