//! Sums of terms that are multiplied by one number each from node to node, in floats, sixteen at a time. Their rounding
//! is bounded where they are used.

/// More than sixteen roundings make of what is not negative, and more than what underflow takes off.
pub(crate) const SLACK: f64 = 1.0 + 16.0 * f64::EPSILON;
pub(crate) const TINY: f64 = 1e-300;

/// Where a term is, what it is multiplied by, and what is added then.
pub(crate) type Step = ((f64, f64), (f64, f64), (f64, f64));

pub(crate) const LANES: usize = 16;

/// Real and imaginary parts of as many numbers as there are lanes.
pub(crate) type Complex = ([f64; LANES], [f64; LANES]);

/// The same of sixteen terms, side by side, so that a machine multiplies several at once.
#[derive(Default, Clone, Copy)]
pub(crate) struct Block {
    pub(crate) value: Complex,
    step: Complex,
    add: Complex,
}

impl Block {
    pub(crate) fn new(terms: &[Step]) -> Self {
        let mut block = Self::default();
        let part = |of: fn(&Step) -> f64, to: &mut [f64; LANES]| {
            for (to, term) in to.iter_mut().zip(terms) {
                *to = of(term);
            }
        };
        part(|term| term.0.0, &mut block.value.0);
        part(|term| term.0.1, &mut block.value.1);
        part(|term| term.1.0, &mut block.step.0);
        part(|term| term.1.1, &mut block.step.1);
        part(|term| term.2.0, &mut block.add.0);
        part(|term| term.2.1, &mut block.add.1);
        block
    }

    /// Adds all to a sum, and takes a step.
    #[inline]
    fn advance(&mut self, sum: &mut Complex) {
        let Self { value, step, add } = self;
        let sums = sum.0.iter_mut().zip(&mut sum.1);
        let values = value.0.iter_mut().zip(&mut value.1);
        let steps = step.0.iter().zip(&step.1).zip(add.0.iter().zip(&add.1));
        for (((sum_re, sum_im), (re, im)), ((step_re, step_im), (add_re, add_im))) in sums.zip(values).zip(steps) {
            *sum_re += *re;
            *sum_im += *im;
            (*re, *im) = (*re * step_re - *im * step_im + add_re, *re * step_im + *im * step_re + add_im);
        }
    }
}

/// As many numbers as there are lanes, the last ones zero if there are fewer.
pub(crate) fn lanes(numbers: &[f64]) -> [f64; LANES] {
    let mut lanes = [0.0; LANES];
    lanes.iter_mut().zip(numbers).for_each(|(lane, number)| *lane = *number);
    lanes
}

/// The sum over all terms, which then move by a step.
pub(crate) fn sum_and_step(blocks: &mut [Block]) -> (f64, f64) {
    let mut lanes = Complex::default();
    blocks.iter_mut().for_each(|block| block.advance(&mut lanes));
    let (re, im) = lanes;
    (re.iter().fold(0.0, |sum, x| sum + x), im.iter().fold(0.0, |sum, x| sum + x))
}

/// Nodes side by side.
const NODES: usize = 8;
/// Real and imaginary parts at as many nodes.
type AtNodes = ([f64; NODES], [f64; NODES]);

/// Factors of terms up to each of sixteen nodes: in two halves, of which each has one entry for a term.
#[derive(Default)]
pub(crate) struct Powers([Vec<AtNodes>; 2]);

impl Powers {
    /// Adds the factors of one more term.
    pub(crate) fn push(&mut self, mut powers: impl Iterator<Item = (f64, f64)>) {
        for half in &mut self.0 {
            let mut nodes = AtNodes::default();
            let parts = nodes.0.iter_mut().zip(&mut nodes.1);
            parts.zip(&mut powers).for_each(|((re, im), power)| (*re, *im) = power);
            half.push(nodes);
        }
    }

    /// Without the last terms.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.0.iter_mut().for_each(|half| half.truncate(count));
    }

    /// The sums of all terms, each of which is so much at the first node, at all sixteen: sixteen terms are added up,
    /// and then what they come to.
    pub(crate) fn sums(&self, terms: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().flat_map(|half| {
            let (re, im) = sums(half, terms);
            re.into_iter().zip(im)
        })
    }
}

fn sums(powers: &[AtNodes], terms: &[(f64, f64)]) -> AtNodes {
    let mut total = AtNodes::default();
    for (powers, terms) in powers.chunks(LANES).zip(terms.chunks(LANES)) {
        let mut group = AtNodes::default();
        for ((power_re, power_im), (x, y)) in powers.iter().zip(terms) {
            let sums = group.0.iter_mut().zip(&mut group.1);
            for ((re, im), (power_re, power_im)) in sums.zip(power_re.iter().zip(power_im)) {
                *re += x * power_re - y * power_im;
                *im += x * power_im + y * power_re;
            }
        }
        let sums = total.0.iter_mut().zip(&mut total.1);
        for ((to_re, to_im), (re, im)) in sums.zip(group.0.iter().zip(&group.1)) {
            *to_re += re;
            *to_im += im;
        }
    }
    total
}
