//! What a process has begun, its forked children do not go on with: no budget is spent in two processes.
//!
//! A program of its own, with one thread, for only then may a forked child do as it likes.
#![allow(clippy::unwrap_used)]

use fork::{Fork, fork, waitpid};
use indistinct::{domains::Norm, prelude::*};
use std::io::{Read, Write};

type Rows = VectorDomain<AtomDomain<i64>>;
type Count = Measurement<Rows, i64, SymmetricDistance, MaxDivergence>;

fn space() -> (Rows, SymmetricDistance) {
    (VectorDomain::new(AtomDomain::i64()), SymmetricDistance)
}

fn noisy_count() -> Count {
    (space() >> then_count() >> then_laplace(2.0)).unwrap()
}

/// How a question ends, as a byte that goes through a pipe.
fn ends<T>(answer: Fallible<T>) -> u8 {
    match answer.map_err(|error| error.kind()) {
        Ok(_) => b'a',
        Err(ErrorKind::Process) => b'p',
        Err(ErrorKind::Budget | ErrorKind::Exhausted) => b'b',
        Err(_) => b'?',
    }
}

/// What these questions end with in a forked child, and in a child of that child.
fn in_children(ask: impl Fn() -> Vec<u8>) -> [Vec<u8>; 2] {
    let in_child = |ask: &dyn Fn() -> Vec<u8>| {
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        match fork().unwrap() {
            Fork::Child => {
                writer.write_all(&ask()).unwrap();
                drop(writer);
                std::process::exit(0);
            }
            Fork::Parent(child) => {
                drop(writer);
                let mut answers = Vec::new();
                reader.read_to_end(&mut answers).unwrap();
                waitpid(child).unwrap();
                answers
            }
        }
    };
    [in_child(&ask), in_child(&|| in_child(&ask))]
}

/// A budget of 1 is two counts in the process that made the filter, and none in its children.
fn budgets() {
    let filter = || (space() >> then_privacy_filter(MaxDivergence, 1, 1.0)).unwrap().invoke(&[3, 5, 8]).unwrap();
    let declared = (space() >> then_adaptive_composition(MaxDivergence, 1, vec![0.5; 2])).unwrap();
    let (filter_here, declared) = (filter(), declared.invoke(&[3, 5, 8]).unwrap());
    let odometer = (space() >> then_fully_adaptive_composition(MaxDivergence)).unwrap().invoke(&[3, 5, 8]).unwrap();
    assert_eq!(ends(filter_here.eval(&noisy_count())), b'a');
    let ask = || {
        vec![
            ends(filter_here.eval(&noisy_count())),
            ends(filter_here.clone().eval(&noisy_count())),
            ends(filter_here.spent()),
            ends(declared.eval(&noisy_count())),
            ends(declared.remaining()),
            ends(odometer.eval(&noisy_count())),
            ends(odometer.spent(&1)),
            // One of its own.
            ends(filter().eval(&noisy_count())),
        ]
    };
    for answers in in_children(ask) {
        assert_eq!(answers, b"pppppppa");
    }
    assert_eq!([filter_here.eval(&noisy_count()), filter_here.eval(&noisy_count())].map(ends), *b"ab");
    assert_eq!((ends(declared.eval(&noisy_count())), ends(odometer.eval(&noisy_count()))), (b'a', b'a'));
}

/// One answer of true in the process that made the sparse vector, and none in its children; running sums likewise.
fn queryables() {
    let count = (space() >> then_count()).unwrap();
    let sparse = || {
        let sparse = space() >> then_above_threshold((1, 1.0), Monotonicity::Unknown, -1000i64, 1, (1.0, 2.0));
        sparse.unwrap().invoke(&[3, 5, 8]).unwrap()
    };
    let items = VectorDomain::new(AtomDomain::i64().with_bounds((0, 9)).unwrap());
    let sums = make_tree_aggregation(items, HammingDistance, MaxDivergence, 8, 1.0).unwrap().invoke(&[]).unwrap();
    let number = VectorDomain::new(AtomDomain::f64()).with_size(1);
    let step = space()
        >> then_map(number, vec![0.0], |_| vec![1.0])
        >> then_norm_clip(Norm::L2, 1.0)
        >> then_vector_sum(L2Distance::new());
    let (step, factor) = (step.unwrap(), ToeplitzFactor::square_root(2).unwrap());
    let (parts, metric) = (VectorDomain::new(space().0).with_size(1), PartitionDistance(space().1));
    let steps = make_matrix_factorization(parts, metric, GaussianDivergence, factor, 1, (1, 1.0), 1.0);
    let steps = steps.unwrap().invoke(&[vec![3, 5, 8]]).unwrap();
    let here = sparse();
    let ask =
        || vec![ends(here.eval(&count)), ends(sums.eval(&3)), ends(steps.eval(&step)), ends(sparse().eval(&count))];
    for answers in in_children(ask) {
        assert_eq!(answers, b"pppa");
    }
    assert_eq!([steps.eval(&step), steps.eval(&step)].map(ends), *b"aa");
    assert_eq!([here.eval(&count), here.eval(&count)].map(ends), *b"ab");
    assert_eq!(ends(sums.eval(&3)), b'a');
}

/// An aggregate is released once.
fn aggregates() {
    let begun = || noisy_count().aggregate().unwrap().absorb(&[3, 5, 8]).unwrap();
    let (released, merged) = (std::cell::Cell::new(Some(begun())), std::cell::Cell::new(Some(begun())));
    let ask = || {
        vec![
            ends(released.take().unwrap().release()),
            ends(noisy_count().aggregate().unwrap().merge(merged.take().unwrap())),
            ends(begun().release()),
        ]
    };
    for answers in in_children(ask) {
        // What a child takes is its own copy.
        assert_eq!(answers, b"ppa");
    }
    assert_eq!(ends(released.take().unwrap().release()), b'a');
}

fn main() {
    budgets();
    queryables();
    aggregates();
    println!("in forked children nothing goes on that their parents have begun");
}
