//! The figures of `docs/ACCOUNTING.md`: one for each kind of accounting, as SVG in `docs/figures`.

use indistinct_accounting::{
    Delta, Epsilon, Fallible, Mu, PrivacyLossDistribution as P, PrivacyProfile, Rate, Rho, Scale, Sigma,
    advanced_composition, cdp_epsilon, gaussian_to_zcdp, pure_to_zcdp,
};
use plotters::{
    coord::{
        ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter},
        types::RangedCoordf64,
    },
    prelude::*,
};
use std::{
    error::Error,
    path::{Path, PathBuf},
};

type Done = Result<(), Box<dyn Error>>;

const DELTA: f64 = 1e-6;

/// What a curve is called, how it is drawn, and its points.
struct Curve {
    name: &'static str,
    color: RGBColor,
    is_dashed: bool,
    points: Vec<(f64, f64)>,
}

impl Curve {
    fn new(name: &'static str, color: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { name, color, is_dashed: false, points }
    }

    /// A curve that may lie on another.
    fn dashed(self) -> Self {
        Self { is_dashed: true, ..self }
    }
}

const GRAY: RGBColor = RGBColor(130, 130, 130);
const ORANGE: RGBColor = RGBColor(217, 95, 2);
const VIOLET: RGBColor = RGBColor(117, 112, 179);
const GREEN: RGBColor = RGBColor(27, 158, 119);

fn main() -> Done {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", "figures"].iter().collect();
    std::fs::create_dir_all(&folder)?;
    let say = |title: &str| format!("{title}, at delta 1e-6");
    let steps = counts(1e5);
    let releases = counts(1e4);
    let by_count = |name: &str, title: &str, greatest: f64, curves: Vec<Curve>| {
        logarithmic(&folder.join(name), &say(title), (1.0..greatest, 0.1..1e4), &curves)
    };
    by_count("dp_sgd.svg", "Gaussian noise of sigma 1 on Poisson samples of rate 0.01", 1e5, dp_sgd(&steps)?)?;
    by_count("gaussian.svg", "Gaussian noise of sigma 10", 1e4, gaussian(&releases)?)?;
    by_count("laplace.svg", "Laplace noise of scale 10", 1e4, laplace(&releases)?)?;
    by_count("pure.svg", "Any mechanisms of epsilon 0.1", 1e4, pure(&releases)?)?;
    tradeoff(&folder.join("tradeoff.svg"))
}

/// Whole numbers from 1, about as far apart in the logarithm.
fn counts(greatest: f64) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    let mut next = 1.0f64;
    while next <= greatest * 1.001 {
        let whole = (1..=100_000u32).rev().find(|count| f64::from(*count) <= next.round()).unwrap_or(1);
        if counts.last() != Some(&whole) {
            counts.push(whole);
        }
        next *= 10f64.powf(0.1);
    }
    counts
}

/// A number for each count.
fn along(counts: &[u32], at: impl Fn(u32) -> Fallible<f64>) -> Fallible<Vec<(f64, f64)>> {
    counts.iter().map(|count| Ok((f64::from(*count), at(*count)?))).collect()
}

// ---------------------------------------------------------------------------------------------------------- the curves

/// Half of delta to what the steps may lose each, half to the inequality; basic composition takes all of it.
fn basic_and_advanced(counts: &[u32], epsilon: impl Fn(f64) -> Fallible<f64>) -> Fallible<[Curve; 2]> {
    let basic = along(counts, |count| Ok(f64::from(count) * epsilon(DELTA / f64::from(count))?))?;
    let advanced = along(counts, |count| {
        let each = DELTA / 2.0 / f64::from(count);
        Ok(advanced_composition(count, Epsilon(epsilon(each)?), Delta(each), DELTA / 2.0)?.0)
    })?;
    Ok([Curve::new("basic composition", GRAY, basic), Curve::new("advanced composition", ORANGE, advanced)])
}

fn dp_sgd(counts: &[u32]) -> Fallible<Vec<Curve>> {
    let (rate, sigma) = (0.01, 1.0);
    let (one, step) =
        (P::poisson_gaussian(Sigma(sigma), Rate(rate))?, P::poisson_gaussian(Sigma(sigma), Rate(rate))?.renyi()?);
    let [basic, advanced] = basic_and_advanced(counts, |delta| Ok(one.epsilon(delta)?.upper))?;
    let renyi = along(counts, |count| step.repeat(count)?.epsilon(DELTA))?;
    let bounds =
        counts.iter().map(|count| one.repeat(u64::from(*count))?.epsilon(DELTA)).collect::<Fallible<Vec<_>>>()?;
    let side = |upper: bool| {
        let values = bounds.iter().map(|bounds| if upper { bounds.upper } else { bounds.lower });
        counts.iter().map(|count| f64::from(*count)).zip(values).collect()
    };
    Ok(vec![
        basic,
        advanced,
        Curve::new("Renyi divergences, best order", VIOLET, renyi),
        Curve::new("loss distribution, upper bound", GREEN, side(true)),
        Curve::new("loss distribution, lower bound", BLACK, side(false)).dashed(),
    ])
}

fn gaussian(counts: &[u32]) -> Fallible<Vec<Curve>> {
    let mu = 0.1;
    let one = PrivacyProfile::gaussian(Mu(mu))?;
    let [basic, advanced] = basic_and_advanced(counts, |delta| one.epsilon(delta))?;
    let rho = gaussian_to_zcdp(mu)?;
    let concentrated = along(counts, |count| cdp_epsilon(Rho(f64::from(count) * rho), Delta(DELTA)))?;
    let exact = exactly(counts, &P::gaussian(Sigma(1.0 / mu))?)?;
    Ok(vec![
        basic,
        advanced,
        Curve::new("zero-concentrated privacy", VIOLET, concentrated),
        Curve::new("Gaussian privacy: exact", GREEN, exact),
    ])
}

fn laplace(counts: &[u32]) -> Fallible<Vec<Curve>> {
    let epsilon = 0.1;
    let [basic, advanced] = basic_and_advanced_of_pure(counts, epsilon)?;
    let noise = P::laplace(Scale(1.0 / epsilon))?;
    let curve = noise.renyi()?;
    let renyi = along(counts, |count| curve.repeat(count)?.epsilon(DELTA))?;
    let exact = exactly(counts, &noise)?;
    Ok(vec![
        basic,
        advanced,
        Curve::new("Renyi divergences of Laplace noise", VIOLET, renyi),
        Curve::new("Laplace noise: exact", GREEN, exact),
    ])
}

fn pure(counts: &[u32]) -> Fallible<Vec<Curve>> {
    let epsilon = 0.1;
    let [basic, advanced] = basic_and_advanced_of_pure(counts, epsilon)?;
    let rho = pure_to_zcdp(epsilon)?;
    let concentrated = along(counts, |count| cdp_epsilon(Rho(f64::from(count) * rho), Delta(DELTA)))?;
    let optimal = exactly(counts, &P::pure(epsilon)?)?;
    Ok(vec![
        basic,
        advanced,
        Curve::new("zero-concentrated privacy", VIOLET, concentrated),
        Curve::new("optimal composition", GREEN, optimal),
    ])
}

/// Epsilon of so many of them, where the distribution of their losses is known.
fn exactly(counts: &[u32], one: &P) -> Fallible<Vec<(f64, f64)>> {
    along(counts, |count| Ok(one.repeat(u64::from(count))?.epsilon(DELTA)?.upper))
}

fn basic_and_advanced_of_pure(counts: &[u32], epsilon: f64) -> Fallible<[Curve; 2]> {
    let basic = along(counts, |count| Ok(f64::from(count) * epsilon))?;
    let advanced = along(counts, |count| Ok(advanced_composition(count, Epsilon(epsilon), Delta(0.0), DELTA)?.0))?;
    Ok([Curve::new("basic composition", GRAY, basic), Curve::new("advanced composition", ORANGE, advanced)])
}

/// The least share of errors of the second kind, at one of the first, in telling two neighbors apart.
fn tradeoff(path: &Path) -> Done {
    let sampled = P::poisson_gaussian(Sigma(1.0), Rate(0.01))?.repeat(1500)?;
    let curves = [
        ("epsilon 1", GRAY, PrivacyProfile::pure(1.0)?),
        ("rho 1/2", VIOLET, PrivacyProfile::concentrated(0.5)?),
        ("mu 1", GREEN, PrivacyProfile::gaussian(Mu(1.0))?),
        ("1,500 steps on samples", ORANGE, PrivacyProfile::losses(sampled)),
    ];
    let alphas = || (0..=100u32).map(|i| f64::from(i) / 100.0);
    let points = |profile: &PrivacyProfile| {
        alphas().map(|alpha| Ok((alpha, profile.beta(alpha)?))).collect::<Fallible<Vec<_>>>()
    };
    let mut drawn = vec![Curve::new("no loss", BLACK, alphas().map(|alpha| (alpha, 1.0 - alpha)).collect()).dashed()];
    for (name, color, profile) in curves {
        drawn.push(Curve::new(name, color, points(&profile)?));
    }
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = builder(&root, "What an attacker must get wrong").build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    let text = TextStyle::from(("sans-serif", 28));
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(text.clone())
        .x_desc("alpha: share of false alarms")
        .y_desc("beta: share missed, at least")
        .draw()?;
    draw(&mut chart, &drawn)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(text)
        .legend_area_size(60)
        .background_style(WHITE.mix(0.9))
        .draw()?;
    Ok(root.present()?)
}

// --------------------------------------------------------------------------------------------------------- the drawing

/// Points are whole pixels: more of them than are shown make smooth curves.
const SIZE: (u32, u32) = (1520, 960);

fn builder<'a, 'b>(
    root: &'a DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
    title: &str,
) -> ChartBuilder<'a, 'b, SVGBackend<'b>> {
    let mut builder = ChartBuilder::on(root);
    builder.caption(title, ("sans-serif", 36)).margin(24).x_label_area_size(88).y_label_area_size(120);
    builder
}

/// A chart whose axes are logarithms, to base 10, with powers of ten written out.
fn logarithmic(
    path: &Path,
    title: &str,
    (x, y): (std::ops::Range<f64>, std::ops::Range<f64>),
    curves: &[Curve],
) -> Done {
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = builder(&root, title).build_cartesian_2d(Powers::new(x), Powers::new(y.clone()))?;
    let text = TextStyle::from(("sans-serif", 28));
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .label_style(text.clone())
        .x_desc("releases")
        .y_desc("epsilon")
        .draw()?;
    let curves: Vec<Curve> = curves
        .iter()
        .map(|curve| {
            let points = curve.points.iter().filter(|point| y.contains(&point.1));
            Curve { points: points.map(|point| (point.0.log10(), point.1.log10())).collect(), ..*curve }
        })
        .collect();
    draw(&mut chart, &curves)?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(text)
        .legend_area_size(60)
        .background_style(WHITE.mix(0.9))
        .draw()?;
    Ok(root.present()?)
}

fn draw<X, Y>(chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<X, Y>>, curves: &[Curve]) -> Done
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    for curve in curves {
        let Curve { name, color, is_dashed, points } = curve;
        let style = color.stroke_width(4);
        let sample = move |(x, y)| PathElement::new(vec![(x, y), (x + 44, y)], style);
        if *is_dashed {
            chart
                .draw_series(DashedLineSeries::new(points.iter().copied(), 10, 10, style))?
                .label(*name)
                .legend(sample);
        } else {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?.label(*name).legend(sample);
        }
    }
    Ok(())
}

/// An axis of logarithms: points are given as these, and a mark at 3 reads 1000.
struct Powers(RangedCoordf64);

impl Powers {
    fn new(range: std::ops::Range<f64>) -> Self {
        Self((range.start.log10()..range.end.log10()).into())
    }
}

impl Ranged for Powers {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.0.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let range = self.0.range();
        (-9..=9i32).map(f64::from).filter(|power| range.contains(power) || *power == range.end).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.0.range()
    }
}

impl ValueFormatter<f64> for Powers {
    fn format(power: &f64) -> String {
        let number = 10f64.powf(*power);
        if number < 1e4 { format!("{number}") } else { format!("1e{power}") }
    }
}
