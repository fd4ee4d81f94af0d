//! What a call takes in memory: chains of rows that end in an aggregate never copy their input.

use indistinct::{
    domains::Norm,
    frames::{
        Column, ColumnDomain, Frame, FrameDomain, UnmatchedRows, col, lit, make_with_columns, text_key, then_join_rows,
        then_rows_of_individuals, then_with_columns,
    },
    prelude::*,
    sampling::{Entropy, testing::SeededEntropy},
};
use indistinct_tests::vectors;
use std::{hint::black_box, process::Command};

const ROWS: u32 = 1_000_000;

/// The most memory in use at once, in bytes.
fn peak<T>(run: impl FnOnce() -> Fallible<T>) -> u64 {
    let used = allocation_counter::measure(|| {
        black_box(run().unwrap());
    });
    used.bytes_max
}

#[test]
fn rows_that_end_in_an_aggregate_are_not_copied() {
    let rows: Vec<f64> = (0..ROWS).map(f64::from).collect();
    let space = || (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let clamped = || space() >> then_clamp((0.0, 1e5)) >> then_map(AtomDomain::f64(), 0.0, |x: &f64| x.sqrt());
    let sum = (clamped() >> then_clamp((0.0, 100.0)) >> then_sum()).unwrap();
    let noisy = (clamped() >> then_clamp((0.0, 100.0)) >> then_sum() >> then_laplace(100.0)).unwrap();
    let category = |x: &f64| if *x < 100.0 { 0 } else { 1 };
    let counts = clamped()
        >> then_map(AtomDomain::u8(), 0, category)
        >> then_count_by_categories(vec![0, 1], UnknownCategories::Drop, L1Distance::new());
    let counts = counts.unwrap();
    // The data take 8 MB. A few thousand rows of each step and the tables of the noise are all that there may be.
    for (name, peak) in [
        ("sum", peak(|| sum.invoke(&rows))),
        ("noisy sum", peak(|| noisy.invoke(&rows))),
        ("counts", peak(|| counts.invoke(&rows))),
        ("by parts", peak(|| sum.aggregate()?.absorb(&rows)?.finish())),
    ] {
        assert!(peak < 100_000, "{name}: {peak} bytes");
    }
}

#[test]
fn groups_are_not_collected() {
    let rows: Vec<(u32, f64)> = (0..ROWS).map(|row| (row % 7, f64::from(row % 1000))).collect();
    let space = || (VectorDomain::new(PairDomain::new(AtomDomain::u32(), AtomDomain::f64())), SymmetricDistance);
    let listed = then_sum_by_categories((0..7).collect(), UnknownCategories::Drop, L1Distance::new());
    let listed = (space() >> then_clamp((0.0, 1e3)) >> listed).unwrap();
    let found = (space() >> then_clamp((0.0, 1e3)) >> then_sum_by(L01InfDistance)).unwrap();
    assert!(peak(|| listed.invoke(&rows)) < 100_000);
    assert!(peak(|| found.invoke(&rows)) < 100_000);
}

/// All rows of one individual, each beside the others: up to some number the square of theirs, which is the negative
/// control, and from there on no more. (One row of each is kept, counted, and gets noise.)
#[test]
fn joined_rows_of_one_individual_are_bounded() {
    let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("day", ColumnDomain::integer())]).unwrap();
    let space = (visits.with_individuals("person").unwrap(), SymmetricIdDistance);
    let both = (lit(true), lit(true));
    let count = space
        >> then_join_rows(both, Vec::<&str>::new(), vec![("other", col("day"))], 1024, UnmatchedRows::Drop)
        >> then_rows_of_individuals::<i64, (i64, i64), _, _>(vec!["day", "other"])
        >> then_bound_contributions(1)
        >> then_count()
        >> then_laplace(10.0);
    let count = count.unwrap();
    let others = || 10..2000i64;
    let peak_of = |rows: i64| {
        let persons = (0..rows).map(|_| 1).chain(others()).collect::<Column>();
        let days = (0..rows).chain(others()).collect();
        let frame = Frame::new([("person", persons), ("day", days)]).unwrap();
        peak(|| count.invoke(&frame))
    };
    let few = [128, 512].map(peak_of);
    assert!(few[1] > 6 * few[0], "no power: {few:?}");
    let many = [1024, 8192].map(peak_of);
    assert!(many[1] < 2 * many[0] && many[1] < 64 << 20, "{many:?}");
}

/// The rows of many individuals are made after each other.
#[test]
fn joined_rows_of_many_individuals_are_made_in_pieces() {
    let visits = FrameDomain::new([("person", ColumnDomain::integer()), ("day", ColumnDomain::integer())]).unwrap();
    let space = (visits.with_individuals("person").unwrap(), SymmetricIdDistance);
    let both = (lit(true), lit(true));
    let count = space
        >> then_join_rows(both, Vec::<&str>::new(), vec![("other", col("day"))], 100, UnmatchedRows::Drop)
        >> then_rows_of_individuals::<i64, (i64, i64), _, _>(vec!["day", "other"])
        >> then_bound_contributions(100)
        >> then_count()
        >> then_laplace(1000.0);
    let count = count.unwrap();
    // 5,000 individuals with 30 rows: 150,000 rows, from which four and a half million are made, of some 40 bytes each.
    let rows = || 0..150_000i64;
    let columns = [("person", rows().map(|row| row / 30).collect::<Column>()), ("day", rows().collect())];
    let frame = Frame::new(columns).unwrap();
    let used = peak(|| count.invoke(&frame));
    assert!(used < 50 << 20, "{used}");
}

/// A key of texts that is a part of the next one is as long as two; not for ever.
#[test]
fn keys_of_keys_do_not_double_for_ever() {
    let table = FrameDomain::new([("text", ColumnDomain::text())]).unwrap();
    let mut keys = make_with_columns(table, SymmetricDistance, vec![("text", col("text"))]);
    for _ in 0..40 {
        let both = vec![("text", text_key([col("text"), col("text")]))];
        keys = keys >> then_with_columns(both);
    }
    let keys = keys.unwrap();
    let frame = Frame::new([("text", ["x"].into_iter().collect::<Column>())]).unwrap();
    let used = peak(|| keys.invoke(&frame));
    // Each quote is written by twice as many characters; of texts of 64 KiB.
    assert!(used < 4 << 20, "{used}");
}

/// The negative control: a step that is not declared as one of rows takes a copy, and it is seen.
#[test]
fn a_copy_is_counted() {
    let rows: Vec<f64> = (0..ROWS).map(f64::from).collect();
    let domain = VectorDomain::new(AtomDomain::f64());
    let copy = make_user_transformation(
        domain.clone(),
        SymmetricDistance,
        domain,
        SymmetricDistance,
        |rows: &[f64]| rows.to_vec(),
        |&d_in: &u32| Ok(d_in),
    );
    let sum = (copy >> then_clamp((0.0, 1e5)) >> then_sum()).unwrap();
    assert!(peak(|| sum.invoke(&rows)) >= 8 * u64::from(ROWS));
}

/// Within the memory that a vector allows at once, and with an end.
pub(crate) fn within<T>(name: &str, run: impl FnOnce() -> Fallible<T>) {
    let mebibytes = vectors("resources")[name]["limits"]["rss_mib"].as_u64().unwrap();
    let peak = peak(run);
    assert!(peak < mebibytes << 20, "{name}: {peak} bytes");
}

/// A million releases of one composition: time and memory in proportion. The negative control, a list that grows by
/// copies, has the square of them.
#[test]
fn compose_1e6_children() {
    let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let count = (rows >> then_count() >> then_laplace(1e6)).unwrap();
    let compose = |n: usize| {
        let all = make_composition(vec![count.clone(); n])?;
        assert!(all.map(&1)? >= 1e-6 * f64::from(u32::try_from(n).unwrap()));
        assert_eq!(all.invoke(&[1.0, 2.0])?.len(), n);
        Ok(all)
    };
    within("compose_1e6_children", || compose(1_000_000));
    let bytes = |run: &dyn Fn()| allocation_counter::measure(run).bytes_total;
    let ours = [10_000, 40_000].map(|n| bytes(&|| drop(compose(n).unwrap())));
    assert!(ours[1] < 5 * ours[0], "{ours:?}");
    let control = [1_000u32, 4_000]
        .map(|n| bytes(&|| drop((0..n).fold(vec![], |all: Vec<u32>, next| [all.as_slice(), &[next]].concat()))));
    assert!(control[1] > 10 * control[0], "no power: {control:?}");
}

/// Compositions of a composition with itself: beyond 2^22 steps in all they are refused. Without the limit 30
/// doublings would pass.
#[test]
fn doubled_compositions_are_refused() {
    let rows = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let mut all = (rows >> then_count() >> then_laplace(1.0) >> Function::new(|_: &i64| ())).unwrap();
    let mut doublings = 0;
    let refused = loop {
        match make_composition((all.clone(), all)) {
            Ok(both) => all = (both >> Function::new(|_: &((), ())| ())).unwrap(),
            Err(error) => break error,
        }
        doublings += 1;
        assert!(doublings < 30, "no limit");
    };
    assert_eq!((refused.kind(), doublings), (ErrorKind::Depth, 19));
}

/// What parameters alone would make endless, or larger than memory, is refused before anything is allocated, and what
/// is at the limit is built.
#[test]
fn parameters_beyond_memory_are_refused() {
    let refused =
        |built: Fallible<()>, parameter| assert_eq!(built.unwrap_err().kind(), ErrorKind::Parameter(parameter));
    let none = |built: &dyn Fn() -> Fallible<()>| allocation_counter::measure(|| drop(built())).bytes_max;
    let map = || MapDomain::new(AtomDomain::u32(), AtomDomain::i64());
    let alp = |levels: f64| make_alp(map(), L01InfDistance, 1.0, levels, 1, 1).map(drop);
    refused(alp(2f64.powi(31)), "limit");
    assert!(alp(2f64.powi(22)).is_ok() && none(&|| alp(2f64.powi(31))) < 10_000);
    let columns = |columns: usize| {
        let row = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0))?).with_size(columns);
        make_covariance(VectorDomain::new(row).with_size(2), HammingDistance, L2Distance::new()).map(drop)
    };
    refused(columns(1025), "input_domain");
    assert!(columns(1024).is_ok() && none(&|| columns(1025)) < 10_000);
    let vectors = |size: usize| {
        let rows = VectorDomain::new(BallDomain::new(size, Norm::L2, 1.0)?);
        make_vector_sum(rows, SymmetricDistance, L2Distance::new()).map(drop)
    };
    refused(vectors((1 << 24) + 1), "input_domain");
    assert!(vectors(1 << 24).is_ok() && none(&|| vectors(1 << 31)) < 10_000);
    let stream = |width: usize| {
        let item = VectorDomain::new(AtomDomain::i64().with_bounds((0, 1))?).with_size(width);
        make_tree_aggregation(VectorDomain::new(item), HammingDistance, MaxDivergence, u32::MAX, 1.0).map(drop)
    };
    refused(stream((1 << 20) + 1), "input_domain");
    assert!(stream(1 << 20).is_ok() && none(&|| stream(1 << 31)) < 10_000);
    let steps = |width: usize| {
        let parts = VectorDomain::new(VectorDomain::new(AtomDomain::f64())).with_size(1);
        let (factor, metric) = (ToeplitzFactor::new(vec![1.0], 1)?, PartitionDistance(SymmetricDistance));
        make_matrix_factorization(parts, metric, GaussianDivergence, factor, width, (1, 1.0), 1.0).map(drop)
    };
    refused(steps((1 << 20) + 1), "width");
    assert!(steps(1 << 20).is_ok() && none(&|| steps(1 << 31)) < 10_000);
    let factor = |steps: u32| ToeplitzFactor::square_root(steps).map(drop);
    refused(factor((1 << 20) + 1), "steps");
    assert!(factor(1 << 20).is_ok() && none(&|| factor(1 << 31)) < 10_000);
    let select = |stop: f64| {
        let scored = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance) >> then_count() >> then_laplace(1.0);
        let scored = (scored >> Function::new(|count: &i64| (0.0, *count)))?;
        make_select_private_candidate(scored, stop, None).map(drop)
    };
    refused(select(1e-300), "stop_probability");
    assert!(select(1e-6).is_ok());
}

/// Plans that were written to do harm: deep, long, of tags that are unknown and numbers that are none. An error for
/// each, in time.
#[test]
fn deserialise_hostile() {
    let deep = |depth: usize| r#"{"name":"a","children":["#.repeat(depth);
    let texts = [
        deep(1_000_000),
        format!("{}{}", deep(100_000), "]}".repeat(100_000)),
        "[".repeat(1_000_000),
        r#"{"name":"a","parameters":["#.to_string() + &"[".repeat(1_000_000),
        r#"{"name":"a","parameters":[["x",NaN]]}"#.into(),
        r#"{"name":"a","parameters":[["x",1e999]]}"#.into(),
        r#"{"name":"a","parameters":9223372036854775807}"#.into(),
        r#"{"unknown":"a"}"#.into(),
        r#"{"name":7}"#.into(),
        "\u{0}\u{ff}".into(),
        String::new(),
    ];
    for text in texts {
        within("deserialise_hostile", || {
            assert!(serde_json::from_str::<Plan>(&text).is_err(), "{}", &text[..text.len().min(60)]);
            Ok(())
        });
    }
    // A plan that was damaged at random is read back as it was written, or refused.
    let space = (VectorDomain::new(AtomDomain::f64()), SymmetricDistance);
    let chain = (space >> then_clamp((0.0, 1.0)) >> then_sum() >> then_laplace(2.0)).unwrap();
    let (plan, mut entropy) = (serde_json::to_vec(chain.plan()).unwrap(), SeededEntropy::new(105));
    let mut below = |n: usize| usize::try_from(entropy.bits(32).unwrap()).unwrap() % n;
    let mut read = 0;
    for _ in 0..300_000 {
        let mut text = plan.clone();
        for _ in 0..=below(4) {
            let (at, byte) = (below(text.len()), u8::try_from(below(256)).unwrap());
            match below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, byte),
                2 => text[at] = b"{}[]\",:0e-.9N"[usize::from(byte) % 13],
                _ => text.extend_from_within(at..),
            }
        }
        if let Ok(plan) = serde_json::from_slice::<Plan>(&text) {
            let again = serde_json::to_string(&plan).unwrap();
            assert_eq!(serde_json::from_str::<Plan>(&again).unwrap(), plan);
            read += 1;
        }
    }
    assert!(read > 1000, "{read}");
    assert!(crashes("resources::control_that_reads_recursively"), "no power");
}

/// A chain of a hundred thousand links is refused in time: `tests/user_path.rs` says at which link. The negative
/// control is dropped link by link.
#[test]
fn nesting_depth_100000() {
    within("nesting_depth_100000", || {
        let rows = || VectorDomain::new(AtomDomain::f64());
        let mut chain = make_clamp(rows(), SymmetricDistance, (0.0, 1.0));
        for _ in 0..100_000 {
            let domain = VectorDomain::new(AtomDomain::f64().with_bounds((0.0, 1.0))?);
            chain = chain >> make_clamp(domain, SymmetricDistance, (0.0, 1.0))?;
        }
        assert_eq!(chain.unwrap_err().kind(), ErrorKind::Depth);
        Ok(())
    });
    assert!(crashes("resources::control_that_is_dropped_recursively"), "no power");
}

/// Run an ignored test of this program by itself: whether it ends it.
fn crashes(control: &str) -> bool {
    let program = std::env::current_exe().unwrap();
    let output = Command::new(program).args(["--exact", control, "--ignored", "--test-threads", "1"]).output().unwrap();
    // A process that is ended by a signal has no code; one whose test fails has one.
    output.status.code().is_none()
}

#[test]
#[ignore = "it overflows the stack: see crashes"]
fn control_that_reads_recursively() {
    fn depth(text: &[u8]) -> usize {
        match text.split_first() {
            Some((b'[', rest)) => black_box(1 + depth(black_box(rest))),
            _ => 0,
        }
    }
    black_box(depth(&vec![b'['; 10_000_000]));
}

#[test]
#[ignore = "it overflows the stack: see crashes"]
fn control_that_is_dropped_recursively() {
    struct Link(#[allow(dead_code)] Option<Box<Link>>);
    let mut chain = Link(None);
    for _ in 0..10_000_000 {
        chain = Link(Some(Box::new(chain)));
    }
    drop(black_box(chain));
}
