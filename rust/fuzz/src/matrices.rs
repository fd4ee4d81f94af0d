//! Vectors: clipped, added, multiplied by a matrix, laid out as a tree.

use crate::{
    Source, exercise,
    record::{make, told},
    spaces::{bounded_floats, each_metric, floats_for, integer_domain, integers_for, one_of, rows_of},
};
use indistinct::{domains::Norm, prelude::*};

pub(crate) fn run(source: &mut Source) {
    match source.below(5) {
        0 => clipped(source),
        1 => added(source),
        2 => multiplied(source),
        3 => tree(source),
        _ => covariance(source),
    }
}

fn norm(source: &mut Source) -> Norm {
    source.choose(&[Norm::L1, Norm::L2, Norm::LInf])
}

fn vectors(source: &mut Source, length: usize) -> Vec<Vec<f64>> {
    source.several(3, |source| (0..length).map(|_| source.mostly_plain()).collect())
}

fn clipped(source: &mut Source) {
    let length = source.below(4);
    let data = vectors(source, length);
    let (norm, radius) = (norm(source), source.mostly_plain());
    let floats = rows_of(source, AtomDomain::f64(), length);
    let rows = rows_of(source, floats, data.len());
    each_metric!(source: |metric| {
        exercise::transformation(make!(make_norm_clip(rows, metric, norm, radius)), source, &data)
    });
}

fn added(source: &mut Source) {
    let length = source.size();
    let (norm, radius) = (norm(source), source.mostly_plain());
    let Some(ball) = told(BallDomain::new(length, norm, radius)) else { return };
    let shrink = 1.0 / 8192.0;
    let mut data = vectors(source, length.min(8));
    data.iter_mut().flatten().for_each(|x| *x *= shrink);
    let rows = rows_of(source, ball, data.len());
    each_metric!(source: |metric| one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
        exercise::transformation(make!(make_vector_sum(rows.clone(), metric, norm)), source, &data)
    }));
}

fn multiplied(source: &mut Source) {
    let length = source.below(4);
    let data: Vec<f64> = (0..length).map(|_| source.mostly_plain()).collect();
    let matrix = source.several(3, |source| {
        let length = if source.below(8) == 0 { source.below(4) } else { length };
        (0..length).map(|_| source.mostly_plain()).collect()
    });
    let numbers = rows_of(source, AtomDomain::f64(), length);
    macro_rules! by_matrix {
        ($from:ty) => {
            one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |to| {
                let product = make!(make_linear_queries(numbers.clone(), <$from>::new(), matrix.clone(), to));
                exercise::transformation(product, source, &data)
            })
        };
    }
    match source.below(3) {
        0 => by_matrix!(L1Distance),
        1 => by_matrix!(L2Distance),
        _ => by_matrix!(LInfDistance),
    }
}

fn tree(source: &mut Source) {
    let element = AtomDomain::i64();
    let data = integers_for(source, &element, 7);
    let leaves = rows_of(source, element, data.len());
    let branching = source.size();
    one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
        let tree = make!(make_b_ary_tree(leaves.clone(), L1Distance::new(), branching, norm));
        exercise::transformation(tree, source, &data)
    });
}

fn covariance(source: &mut Source) {
    let (x, y) = (bounded_floats(source), bounded_floats(source));
    let firsts = floats_for(source, &x, 4);
    let data: Vec<(f64, f64)> =
        firsts.into_iter().map(|first| (first, floats_for(source, &y, 1).pop().unwrap_or(0.0))).collect();
    let rows = rows_of(source, PairDomain::new(x, y), data.len());
    let (n, element) = (source.size(), integer_domain(source));
    let columns = VectorDomain::new(element).with_size(n);
    each_metric!(source: |metric| one_of!(source: [L1Distance::new(), L2Distance::new(), LInfDistance::new()] |norm| {
        exercise::transformation(make!(make_covariance(rows.clone(), metric, norm)), source, &data);
        let of_columns = VectorDomain::new(columns.clone()).with_size(2);
        exercise::transformation(make!(make_covariance(of_columns, metric, norm)), source, &[vec![0; 2], vec![1; 2]])
    }));
}
