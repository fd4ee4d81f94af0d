//! The counts that best fit a noisy tree.

use super::finite_floats;
use crate::{
    core::{Fallible, require},
    transformations::{layers, number_of_nodes},
};
use indistinct_numeric::ToExtended;

/// Returns the leaves that best fit all nodes of a released tree: the estimates with the smallest variance among all
/// unbiased estimates that are linear in the nodes.
///
/// The nodes are those of [`make_b_ary_tree`](crate::transformations::make_b_ary_tree) with independent noise of the
/// same variance. Each node has two estimates: its own number, and the sum of the nodes below it. On the way up, both
/// are averaged with weights inverse to their variances. On the way down, the difference between a node and the sum of
/// its children is distributed in proportion to their variances (Hay, Rastogi, Miklau, Suciu 2010; Honaker 2015). The
/// result is the least-squares solution.
///
/// # Parameters
///
/// - `tree`: the released nodes, layer by layer from the root down.
/// - `leaves`, `branching`: the shape with which the tree was made.
///
/// # Errors
///
/// Returns an error if the number of nodes does not match the shape, if a node or a sum of nodes is not finite, if
/// there are no leaves, or if the branching is below 2.
///
/// ```
/// use indistinct::prelude::*;
/// // The leaves say 3 and 4, the root says 10; all three move by one third of what is missing.
/// let leaves = consistent_b_ary_tree(&[10, 3, 4], 2, 2)?;
/// assert_eq!(leaves, [4.0, 5.0]);
/// # Ok::<(), Error>(())
/// ```
pub fn consistent_b_ary_tree<T: ToExtended>(tree: &[T], leaves: usize, branching: usize) -> Fallible<Vec<f64>> {
    require(leaves >= 1, "leaves", "must be at least 1")?;
    let sizes = layers(leaves, branching)?;
    require(number_of_nodes(&sizes) == Some(tree.len()), "tree", "must have as many nodes as a tree of this shape")?;
    let numbers = finite_floats(tree, "tree")?;
    let mut rest = numbers.as_slice();
    let mut layers = Vec::new();
    for size in sizes {
        let Some((layer, below)) = rest.split_at_checked(size) else { break };
        layers.push(layer);
        rest = below;
    }

    // From the leaves up: what the nodes of each layer are, as far as they and those below them tell.
    let mut upwards: Vec<Vec<Node>> = Vec::new();
    for layer in layers.into_iter().rev() {
        let nodes = match upwards.last() {
            None => layer.iter().map(|&estimate| Node { estimate, variance: 1.0 }).collect(),
            Some(below) => {
                layer.iter().zip(below.chunks(branching)).map(|(&own, children)| Node::of(own, children)).collect()
            }
        };
        upwards.push(nodes);
    }

    // From the root down: what they are, as far as all nodes tell.
    let mut downwards = upwards.into_iter().rev();
    let root = downwards.next().unwrap_or_default();
    let root = root.into_iter().map(|node| node.estimate).collect();
    let leaves = downwards.fold(root, |above: Vec<f64>, layer| {
        let families = above.iter().zip(layer.chunks(branching));
        families.flat_map(|(&sum, children)| shared_out(sum, children)).collect()
    });
    // A sum that overflows on the way leaves nothing finite below its node.
    require(leaves.iter().all(|leaf| leaf.is_finite()), "tree", "must have finite sums of its nodes")?;
    Ok(leaves)
}

/// An estimate and its variance, in units of the variance of one node's noise.
#[derive(Clone, Copy)]
struct Node {
    estimate: f64,
    variance: f64,
}

impl Node {
    /// Combines a number with noise of variance 1 and the sum of its children: their average, weighted by the inverse
    /// of their variances.
    fn of(own: f64, children: &[Node]) -> Self {
        let Node { estimate, variance } = Self::sum(children);
        let weight = variance / (1.0 + variance);
        Self { estimate: weight * own + (1.0 - weight) * estimate, variance: weight }
    }

    fn sum(nodes: &[Node]) -> Self {
        let add = |sum: Node, node: &Node| Node {
            estimate: sum.estimate + node.estimate,
            variance: sum.variance + node.variance,
        };
        nodes.iter().fold(Node { estimate: 0.0, variance: 0.0 }, add)
    }
}

/// Adjusts the children's estimates so that they add up to `sum`.
fn shared_out(sum: f64, children: &[Node]) -> Vec<f64> {
    let total = Node::sum(children);
    let excess = (sum - total.estimate) / total.variance;
    children.iter().map(|child| child.estimate + excess * child.variance).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    /// The solution of least squares, by elimination on the normal equations.
    fn least_squares(rows: &[Vec<f64>], y: &[f64]) -> Vec<f64> {
        let n = rows[0].len();
        let mut system: Vec<Vec<f64>> = (0..n)
            .map(|i| {
                let dot = |g: &dyn Fn(usize) -> f64| rows.iter().enumerate().map(|(k, row)| row[i] * g(k)).sum::<f64>();
                (0..n).map(|j| dot(&|k| rows[k][j])).chain([dot(&|k| y[k])]).collect()
            })
            .collect();
        for i in 0..n {
            let pivot = system[i].clone();
            for (k, row) in system.iter_mut().enumerate() {
                if k != i {
                    let factor = row[i] / pivot[i];
                    row.iter_mut().zip(&pivot).for_each(|(entry, above)| *entry -= factor * above);
                }
            }
        }
        (0..n).map(|i| system[i][n] / system[i][i]).collect()
    }

    #[test]
    fn it_is_the_solution_of_least_squares() {
        let mut state = 3u64;
        for (leaves, branching) in [(1, 2), (2, 2), (5, 2), (8, 2), (7, 3), (9, 3), (10, 3), (17, 16), (13, 5)] {
            let domain = VectorDomain::new(AtomDomain::i64()).with_size(leaves);
            let tree = make_b_ary_tree(domain, L1Distance::new(), branching, L1Distance::new()).unwrap();
            // The columns of the tree's matrix.
            let unit = |leaf: usize| (0..leaves).map(|i| i64::from(i == leaf)).collect::<Vec<_>>();
            let columns: Vec<Vec<i128>> = (0..leaves).map(|leaf| tree.invoke(&unit(leaf)).unwrap()).collect();
            let nodes = columns[0].len();
            let matrix: Vec<Vec<f64>> = (0..nodes)
                .map(|node| columns.iter().map(|column| if column[node] == 1 { 1.0 } else { 0.0 }).collect())
                .collect();
            let mut noisy = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                i128::from((state >> 33) % 1000) - 300
            };
            let released: Vec<i128> = (0..nodes).map(|_| noisy()).collect();
            let floats: Vec<f64> = finite_floats(&released, "tree").unwrap();
            let (ours, truth) =
                (consistent_b_ary_tree(&released, leaves, branching).unwrap(), least_squares(&matrix, &floats));
            assert_eq!(ours.len(), leaves);
            for (estimate, truth) in ours.iter().zip(&truth) {
                assert!((estimate - truth).abs() < 1e-6, "{leaves} leaves, {branching}: {ours:?} {truth:?}");
            }
            // A tree without noise is left alone.
            let counts: Vec<i64> = (0..7).cycle().take(leaves).collect();
            let exact = tree.invoke(&counts).unwrap();
            let back = consistent_b_ary_tree(&exact, leaves, branching).unwrap();
            assert!(
                back.iter()
                    .zip(&counts)
                    .all(|(back, count)| (back - f64::from(i32::try_from(*count).unwrap())).abs() < 1e-9)
            );
        }
    }

    #[test]
    fn other_shapes_are_refused() {
        assert!(consistent_b_ary_tree(&[1.0, 2.0], 2, 2).is_err());
        assert!(consistent_b_ary_tree::<f64>(&[], 0, 2).is_err());
        assert!(consistent_b_ary_tree(&[1.0], 1, 1).is_err());
        // Two leaves whose sum is no float: the estimates were NaN.
        let error = consistent_b_ary_tree(&[1e308, 1e308, 1e308], 2, 2).unwrap_err();
        assert_eq!(error.to_string(), "parameter tree: must have finite sums of its nodes");
        assert!(
            consistent_b_ary_tree(&[f64::NAN], 1, 2).is_err() && consistent_b_ary_tree(&[f64::INFINITY], 1, 2).is_err()
        );
    }
}
