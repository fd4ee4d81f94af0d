//! Controlled rounding: integer tables that keep their margins.

use num::ToPrimitive;

use crate::{
    AxisSet, Error, Fallible,
    error::require,
    reconstruct::{shape, sum_into},
};

/// The greatest absolute value of a cell or a sum: 2^50, so that fractions have three bits at least.
const GREATEST: f64 = 1_125_899_906_842_624.0;

/// A number that is this near to an integer is that integer.
const NEAR: f64 = 1e-7;

const SOLVER: &str = "controlled_rounding";

/// Rounds a table to integers such that every cell, every sum over the given margins, and the total become one of the
/// two integers next to them, and one that is an integer (to 1e-7) stays. So all margins agree with the table, and no
/// number moves by one or more.
///
/// `sizes` has the size of each axis of the table, and `margins` the sets of axes, by their position in `sizes`, whose
/// sums are kept.
///
/// Such a rounding always exists if the margins form at most two chains, each set of a chain inside the next: the
/// margins of `ROLLUP` over any number of axes, of `CUBE` over two axes, and two roll-ups crossed with each other. The
/// sums are then the flows of a network, and a network with integer bounds has integer flows. Three margins that do not
/// contain each other, such as those of `CUBE` over three axes, may admit no rounding at all, so they are refused.
///
/// The table is a fractional flow at the start. As long as some flows are fractional, some of them form a cycle: all
/// flows on it are changed by the same amount, up or down with their direction, until one is an integer. The direction
/// is the one that brings the numbers nearer to their nearest integers. The result is deterministic.
///
/// # Errors
///
/// The number of cells is not the product of the sizes, a margin has an axis that does not exist, the margins do not
/// form two chains, or a cell or a sum is above 2^50 or not finite.
///
/// ```
/// use indistinct_marginals::{AxisSet, controlled_rounding};
/// let table = [2.4, 0.3, 1.4, 0.4, 5.3, 0.2];
/// let margins = [AxisSet::new([0])?, AxisSet::new([1])?];
/// println!("{:?}", controlled_rounding(&table, &[2, 3], &margins)?);
/// let cube = [AxisSet::new([0])?, AxisSet::new([1])?, AxisSet::new([2])?];
/// println!("{}", controlled_rounding(&[0.5; 8], &[2, 2, 2], &cube).unwrap_err());
/// # Ok::<(), indistinct_marginals::Error>(())
/// ```
///
/// ```text
/// [2, 0, 2, 1, 5, 0]
/// margins must form at most two chains of sets, each inside the next, such as those of ROLLUP or of CUBE over two axes
/// ```
pub fn controlled_rounding(table: &[f64], sizes: &[usize], margins: &[AxisSet]) -> Fallible<Vec<i64>> {
    let product = sizes.iter().try_fold(1_usize, |product, &size| product.checked_mul(size));
    let rule = || format!("must be as many as the product of the sizes {sizes:?}, not {}", table.len());
    require(product == Some(table.len()), "cells", rule())?;
    let axes = AxisSet::new(0..sizes.len())?;
    for margin in margins {
        require(
            margin.is_subset(&axes),
            "margins",
            format!("must be sets of the {} axes, unlike {margin}", sizes.len()),
        )?;
    }
    // All sums are at most the sum of absolute values.
    let fit = table.iter().map(|cell| cell.abs()).sum::<f64>() <= GREATEST;
    require(fit, "cells", "must be finite, and their absolute values must sum to at most 2^50")?;
    let mut inner: Vec<AxisSet> =
        margins.iter().filter(|margin| !margin.is_empty() && margin.len() < axes.len()).cloned().collect();
    inner.sort_unstable();
    inner.dedup();
    let Some((first, second)) = two_chains(&inner) else {
        let rule = "must form at most two chains of sets, each inside the next, such as those of ROLLUP or of CUBE over two axes";
        return Err(Error::Parameter { parameter: "margins", rule: rule.to_owned() });
    };

    let mut network = Network::default();
    let (source, sink) = (network.node(), network.node());
    let from = network.chain(source, &first, table, sizes, true)?;
    let to = network.chain(sink, &second, table, sizes, false)?;
    let before = network.edges.len();
    for ((cell, from), to) in table.iter().zip(from).zip(to) {
        network.edge(from, to, *cell);
    }
    network.edge(sink, source, table.iter().sum());
    network.round()?;
    Ok(network.edges.iter().skip(before).take(table.len()).map(|edge| edge.rounded).collect())
}

/// Splits sets, sorted by size, into two chains, if that is possible.
fn two_chains(sets: &[AxisSet]) -> Option<(Vec<AxisSet>, Vec<AxisSet>)> {
    fn extend(sets: &[AxisSet], first: &mut Vec<AxisSet>, second: &mut Vec<AxisSet>) -> bool {
        let [set, rest @ ..] = sets else { return true };
        for _ in 0..2 {
            if first.last().is_none_or(|last| last.is_subset(set)) {
                first.push(set.clone());
                if extend(rest, first, second) {
                    return true;
                }
                first.pop();
            }
            std::mem::swap(first, second);
        }
        false
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    extend(sets, &mut first, &mut second).then_some((first, second))
}

/// A flow from a node to another.
struct Edge {
    from: usize,
    to: usize,
    /// The flow, which stays between `low` and `low` + 1.
    flow: f64,
    low: f64,
    /// The cost of one more unit of flow: negative if `low` + 1 is nearer.
    cost: f64,
    settled: bool,
    rounded: i64,
}

/// A step of a walk: an edge, and whether it is walked in its direction.
#[derive(Clone, Copy)]
struct Step {
    edge: usize,
    along: bool,
}

/// Flows that are conserved at every node.
#[derive(Default)]
struct Network {
    edges: Vec<Edge>,
    /// For each node, its edges that are not settled, and possibly settled ones.
    at_node: Vec<Vec<usize>>,
}

impl Network {
    fn node(&mut self) -> usize {
        self.at_node.push(Vec::new());
        self.at_node.len() - 1
    }

    /// An edge with a flow, settled if the flow is near an integer.
    fn edge(&mut self, from: usize, to: usize, flow: f64) {
        let low = flow.floor();
        let cost = 1.0 - 2.0 * (flow - low);
        let at = self.edges.len();
        self.edges.push(Edge { from, to, flow, low, cost, settled: false, rounded: 0 });
        for node in [from, to] {
            if let Some(edges) = self.at_node.get_mut(node) {
                edges.push(at);
            }
        }
        if (flow - flow.round()).abs() <= NEAR {
            self.settle(at);
        }
    }

    /// Edges between the groups of a chain's sets, from the root's node; returns the node of each cell's group in the
    /// last set.
    fn chain(
        &mut self,
        root: usize,
        chain: &[AxisSet],
        table: &[f64],
        sizes: &[usize],
        away: bool,
    ) -> Fallible<Vec<usize>> {
        let axes = AxisSet::new(0..sizes.len())?;
        let mut of_cells = vec![root; table.len()];
        for set in chain {
            let shape = shape(&axes, sizes, set);
            let groups: usize = shape.iter().filter(|(_, kept)| *kept).map(|(size, _)| size).product();
            let mut sums = vec![0.0; groups];
            sum_into(&mut sums, table, &shape)?;
            // The group of each cell, and the node above each group.
            let mut group_of = vec![0; table.len()];
            number(&mut group_of, &shape, 0);
            let mut above = vec![root; groups];
            for (group, node) in group_of.iter().zip(&of_cells) {
                if let Some(above) = above.get_mut(*group) {
                    *above = *node;
                }
            }
            let nodes: Vec<usize> = above.iter().map(|_| self.node()).collect();
            for ((node, above), sum) in nodes.iter().zip(above).zip(sums) {
                let (from, to) = if away { (above, *node) } else { (*node, above) };
                self.edge(from, to, sum);
            }
            for (cell, group) in of_cells.iter_mut().zip(group_of) {
                *cell = nodes.get(group).copied().unwrap_or(root);
            }
        }
        Ok(of_cells)
    }

    /// Settles an edge at the integer next to its flow.
    fn settle(&mut self, at: usize) {
        let Some(edge) = self.edges.get_mut(at) else { return };
        edge.settled = true;
        edge.rounded = edge.flow.round().to_i64().unwrap_or(0);
    }

    /// An edge of the node that is not settled, other than `before`.
    fn next_edge(&mut self, node: usize, before: Option<usize>) -> Option<usize> {
        let Network { edges, at_node, .. } = self;
        let list = at_node.get_mut(node)?;
        let is_open = |at: usize| edges.get(at).is_some_and(|edge| !edge.settled);
        // Settled edges at the end of the list are dropped; one that was taken before is passed over.
        let mut passed = None;
        while let Some(&at) = list.last() {
            if !is_open(at) {
                list.pop();
            } else if Some(at) == before && passed.is_none() {
                passed = list.pop();
            } else {
                break;
            }
        }
        let found = list.last().copied();
        if let Some(passed) = passed {
            list.insert(list.len().saturating_sub(1), passed);
        }
        found
    }

    /// Settles all edges.
    fn round(&mut self) -> Fallible<()> {
        let mut path: Vec<Step> = Vec::new();
        // The place in the path where each node of it was left.
        let mut left_at: Vec<Option<usize>> = vec![None; self.at_node.len()];
        for start in 0..self.at_node.len() {
            let mut node = start;
            loop {
                let before = path.last().map(|step| step.edge);
                let Some(edge) = self.next_edge(node, before) else {
                    // Of a node with one edge, the others are integers: so is this one, but for roundings.
                    let Some(Step { edge, along }) = path.pop() else { break };
                    self.settle(edge);
                    node = self.edges.get(edge).map_or(start, |edge| if along { edge.from } else { edge.to });
                    if let Some(left) = left_at.get_mut(node) {
                        *left = None;
                    }
                    continue;
                };
                let Some((from, to)) = self.edges.get(edge).map(|edge| (edge.from, edge.to)) else { break };
                if let Some(left) = left_at.get_mut(node) {
                    *left = Some(path.len());
                }
                let along = from == node;
                path.push(Step { edge, along });
                node = if along { to } else { from };
                if let Some(begin) = left_at.get(node).copied().flatten() {
                    self.push_around(path.get(begin..).unwrap_or(&[]));
                    // Walk again from where the cycle began.
                    for Step { edge, along } in path.drain(begin..) {
                        let ends = self.edges.get(edge).map(|edge| if along { edge.from } else { edge.to });
                        if let Some(left) = ends.and_then(|node| left_at.get_mut(node)) {
                            *left = None;
                        }
                    }
                }
            }
        }
        self.require_conserved()
    }

    /// Changes the flows of a cycle until one is an integer.
    fn push_around(&mut self, cycle: &[Step]) {
        let edges = || cycle.iter().filter_map(|step| Some((self.edges.get(step.edge)?, step.along)));
        let cost: f64 = edges().map(|(edge, along)| if along { edge.cost } else { -edge.cost }).sum();
        let forward = cost <= 0.0;
        let room = |(edge, along): (&Edge, bool)| {
            if along == forward { edge.low + 1.0 - edge.flow } else { edge.flow - edge.low }
        };
        let amount = edges().map(room).fold(f64::INFINITY, f64::min).max(0.0);
        let tightest = cycle.iter().min_by(|a, b| {
            let room = |step: &Step| self.edges.get(step.edge).map_or(f64::INFINITY, |edge| room((edge, step.along)));
            room(a).total_cmp(&room(b))
        });
        let tightest = tightest.map(|step| step.edge);
        for step in cycle {
            if let Some(edge) = self.edges.get_mut(step.edge) {
                edge.flow += if step.along == forward { amount } else { -amount };
                if Some(step.edge) == tightest || (edge.flow - edge.flow.round()).abs() <= NEAR {
                    self.settle(step.edge);
                }
            }
        }
    }

    /// An error, unless the integers are conserved at every node and next to the flows.
    fn require_conserved(&self) -> Fallible<()> {
        let mut sums = vec![0_i64; self.at_node.len()];
        let mut within = true;
        for edge in &self.edges {
            let rounded = edge.rounded.to_f64().unwrap_or(f64::NAN);
            within &= edge.settled && rounded >= edge.low && rounded <= edge.low + 1.0;
            for (node, flow) in [(edge.from, -edge.rounded), (edge.to, edge.rounded)] {
                if let Some(sum) = sums.get_mut(node) {
                    *sum += flow;
                }
            }
        }
        if within && sums.iter().all(|sum| *sum == 0) {
            Ok(())
        } else {
            let reason = "roundings of floats add up to an integer: the table has too many cells";
            Err(Error::NotConverged { solver: SOLVER, reason: reason.to_owned() })
        }
    }
}

/// Writes into each cell the number of its group: the index of its values on the axes that are kept.
fn number(groups: &mut [usize], shape: &[(usize, bool)], before: usize) {
    match shape {
        [] => groups.iter_mut().for_each(|group| *group = before),
        [(size, kept), inner @ ..] => {
            let block = (groups.len() / size.max(&1)).max(1);
            for (value, groups) in groups.chunks_exact_mut(block).enumerate() {
                number(groups, inner, if *kept { before * size + value } else { before });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::dense;

    fn set(axes: &[usize]) -> AxisSet {
        AxisSet::new(axes.iter().copied()).unwrap()
    }

    fn sums<T: crate::reconstruct::Entry + Default>(table: &[T], sizes: &[usize], margin: &AxisSet) -> Vec<T> {
        let shape = shape(&set(&(0..sizes.len()).collect::<Vec<_>>()), sizes, margin);
        let groups = shape.iter().filter(|(_, kept)| *kept).map(|(size, _)| size).product();
        let mut sums = vec![T::default(); groups];
        sum_into(&mut sums, table, &shape).unwrap();
        sums
    }

    /// Every cell and every margin, the total among them, is next to its number; integers stay.
    fn check(table: &[f64], sizes: &[usize], margins: &[AxisSet]) -> Vec<i64> {
        let rounded = controlled_rounding(table, sizes, margins).unwrap();
        let all = set(&(0..sizes.len()).collect::<Vec<_>>());
        for margin in margins.iter().chain([&all, &AxisSet::total()]) {
            for (number, integer) in sums(table, sizes, margin).iter().zip(sums(&rounded, sizes, margin)) {
                let integer = dense::real(integer);
                let near = (number - number.round()).abs() <= 1e-8;
                assert!(
                    if near { integer == number.round() } else { (number - integer).abs() < 1.0 },
                    "{number} {integer}"
                );
            }
        }
        rounded
    }

    proptest! {
        #[test]
        fn two_way_tables_keep_all_margins(sizes in [1_usize..9, 1_usize..9], seed in any::<u64>(), parts in 2_u64..9) {
            // Few different fractions: many sums are integers.
            let cells = dense::integers(seed, sizes[0] * sizes[1], 6 * parts);
            let table: Vec<f64> = cells.iter().map(|cell| dense::real(*cell) / dense::real(parts) - 1.0).collect();
            check(&table, &sizes, &[set(&[0]), set(&[1])]);
        }

        #[test]
        fn roll_ups_keep_all_margins(sizes in proptest::collection::vec(1_usize..5, 3..5), seed in any::<u64>()) {
            let cells = dense::integers(seed, sizes.iter().product(), 4000);
            let table: Vec<f64> = cells.iter().map(|cell| dense::real(*cell) / 1000.0).collect();
            check(&table, &sizes, &[set(&[0]), set(&[0, 1]), set(&[0, 1, 2])]);
            check(&table, &sizes, &[set(&[2]), set(&[0, 2])]);
            // Two roll-ups, crossed.
            check(&table, &sizes, &[set(&[0]), set(&[0, 1]), set(&[2])]);
            check(&table, &sizes, &[set(&[0]), set(&[1]), set(&[0, 2]), set(&[1, 2])]);
        }
    }

    #[test]
    fn large_tables_with_integer_margins_round() {
        let table: Vec<f64> =
            dense::integers(5, 300 * 200, 1000).iter().map(|cell| dense::real(*cell) / 999.0).collect();
        let rounded = check(&table, &[300, 200], &[set(&[0]), set(&[1])]);
        let moved: f64 = table.iter().zip(&rounded).map(|(a, b)| (a - dense::real(*b)).abs()).sum();
        let nearest: f64 = table.iter().map(|a| (a - a.round()).abs()).sum();
        assert!(moved < 1.1 * nearest, "{moved} {nearest}");
        // Rows and columns that sum to integers, up to roundings of floats.
        let even = vec![1.0 / 3.0; 300 * 300];
        let rounded = check(&even, &[300, 300], &[set(&[0]), set(&[1])]);
        assert_eq!(rounded.iter().sum::<i64>(), 30_000);
    }

    #[test]
    fn integers_stay_and_a_vector_keeps_its_total() {
        assert_eq!(check(&[3.0, -2.0, 0.0, 7.0], &[2, 2], &[set(&[0]), set(&[1])]), [3, -2, 0, 7]);
        assert_eq!(check(&[0.5, 0.25, 0.25], &[3], &[]).iter().sum::<i64>(), 1);
        assert_eq!(check(&[0.7], &[], &[]), [1]);
        assert_eq!(check(&[1.0 + 1e-9, 2.0 - 1e-9], &[2], &[]), [1, 2]);
    }

    #[test]
    fn the_chains_are_found_if_there_are_any() {
        let sets = [set(&[0]), set(&[1]), set(&[0, 1]), set(&[0, 2])];
        let (first, second) = two_chains(&sets).unwrap();
        assert!(first.windows(2).chain(second.windows(2)).all(|pair| pair[0].is_subset(&pair[1])));
        assert_eq!(first.len() + second.len(), 4);
        assert!(two_chains(&[set(&[0]), set(&[1]), set(&[2])]).is_none());
    }

    #[test]
    fn what_cannot_be_rounded_is_refused() {
        let refused = |table: &[f64], sizes: &[usize], margins: &[AxisSet]| {
            controlled_rounding(table, sizes, margins).unwrap_err().to_string()
        };
        assert!(refused(&[0.5; 8], &[2, 2, 2], &[set(&[0]), set(&[1]), set(&[2])]).starts_with("margins must form"));
        assert_eq!(refused(&[0.5], &[1], &[set(&[1])]), "margins must be sets of the 1 axes, unlike (1)");
        assert!(refused(&[0.5], &[2], &[]).starts_with("cells must be as many"));
        for cell in [f64::NAN, f64::INFINITY, 1e16] {
            assert!(refused(&[cell, 0.5], &[2], &[]).starts_with("cells must be finite"));
        }
    }
}
