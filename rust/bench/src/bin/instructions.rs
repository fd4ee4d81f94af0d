//! Instructions per draw, which do not depend on how busy the machine is: `make instructions`, on Linux with valgrind.
//!
//! Each distribution is drawn from a few times and then many times, both under callgrind; the difference is the draws'
//! alone. A second table counts the same release of two data, on the same random bits: where SECURITY.md promises equal
//! work, counts that differ are an error.

use comfy_table::{CellAlignment, Table};
use indistinct::{prelude::*, sampling::testing::SeededEntropy};
use indistinct_sampling::{
    Entropy, Fallible as Sampled, IntegerNoise, OsEntropy, RealNoise, RoundedNoise, SelectionNoise, bernoulli,
    noisy_top_k,
};
use std::{error::Error, hint::black_box, process::Command};

type Draw = Box<dyn Fn(&mut OsEntropy) -> Sampled<()>>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [law, draws] = arguments.as_slice() {
        return draw(law, draws.parse()?);
    }
    let mut table = Table::new();
    table.set_header(["draw", "instructions"]);
    for (name, _) in laws()? {
        let (few, many) = (counted(name, 10_000)?, counted(name, 30_000)?);
        table.add_row([name.to_owned(), format!("{:.0}", (many - few) / 20_000.0)]);
    }
    print(&mut table);
    compare()
}

fn print(table: &mut Table) {
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
}

/// The instructions for both data of each pair, and their ratio.
fn compare() -> Result<(), Box<dyn Error>> {
    let mut table = Table::new();
    table.set_header(["release", "of one", "of the other", "ratio", "promised equal"]);
    let mut broken = Vec::new();
    for pair in pairs()? {
        let count = |side: &str| -> Result<f64, Box<dyn Error>> {
            let name = format!("{} {side}", pair.name);
            Ok((counted(&name, 110)? - counted(&name, 10)?) / 100.0)
        };
        let (one, other) = (count(ONE)?, count(OTHER)?);
        let promised = if pair.promised { "yes" } else { "no" };
        table.add_row([
            pair.name,
            &format!("{one:.0}"),
            &format!("{other:.0}"),
            &format!("{:.4}", other / one),
            promised,
        ]);
        if pair.promised && (other / one - 1.0).abs() > 0.001 {
            broken.push(pair.name);
        }
    }
    print(&mut table);
    if broken.is_empty() { Ok(()) } else { Err(format!("not equal, as promised: {}", broken.join("; ")).into()) }
}

/// How the two sides of a pair are told apart on the command line.
const ONE: &str = "(one)";
const OTHER: &str = "(other)";

type Release = Box<dyn Fn(u64) -> Fallible<()>>;

/// A release of two data, each from a seed.
struct Pair {
    name: &'static str,
    one: Release,
    other: Release,
    promised: bool,
}

impl Pair {
    fn new<T: Clone + 'static>(
        name: &'static str,
        promised: bool,
        (one, other): (T, T),
        release: impl Fn(&T, u64) -> Fallible<()> + Clone + 'static,
    ) -> Self {
        let same = release.clone();
        Self {
            name,
            one: Box::new(move |seed| release(&one, seed)),
            other: Box::new(move |seed| same(&other, seed)),
            promised,
        }
    }
}

fn pairs() -> Fallible<Vec<Pair>> {
    let numbers: Vec<i64> = (0..100_000).map(|category| category * 1_000).collect();
    let respond = make_randomized_response(AtomDomain::i64(), DiscreteDistance, numbers, 0.75)?;
    let respond = move |value: &i64, seed: u64| {
        black_box(respond.invoke_with(value, &mut SeededEntropy::new(seed))?);
        Ok(())
    };
    let bounds = AtomDomain::f64().with_bounds((0.0, 100.0))?;
    let sum = make_sum(VectorDomain::new(bounds), SymmetricDistance)?;
    let singles = AtomDomain::f32().with_bounds((0.0, 100.0))?;
    let sum_of_singles = make_sum(VectorDomain::new(singles), SymmetricDistance)?;
    // Ten thousand rows in parts, so that what is done once for a sum hardly counts.
    let gather = {
        let sum = sum.clone();
        move |rows: &Vec<f64>, _: u64| {
            black_box((0..10).try_fold(sum.aggregate()?, |all, _| all.absorb(rows))?);
            Ok(())
        }
    };
    let gather_singles = move |rows: &Vec<f32>, _: u64| {
        black_box((0..10).try_fold(sum_of_singles.aggregate()?, |all, _| all.absorb(rows))?);
        Ok(())
    };
    let noisy = (sum >> then_laplace(100.0))?;
    let release = move |rows: &Vec<f64>, seed: u64| {
        black_box(noisy.invoke_with(rows, &mut SeededEntropy::new(seed))?);
        Ok(())
    };
    let plain: Vec<f64> = (0..1000).map(|row| 50.0 + f64::from(row) / 128.0).collect();
    let with = |row: f64| plain.iter().take(999).copied().chain([row]).collect::<Vec<f64>>();
    let mixed: Vec<f64> = (0..1000).map(|row| 2f64.powi(-row)).collect();
    let plain_singles: Vec<f32> = vec![50.5; 1000];
    let row = make_linear_queries(
        VectorDomain::new(AtomDomain::f64()).with_size(100),
        L1Distance::new(),
        vec![vec![1e-300; 100]; 10],
        L1Distance::new(),
    )?;
    let multiply = move |x: &f64, _: u64| {
        black_box(row.invoke(&[*x; 100])?);
        Ok(())
    };
    Ok(vec![
        Pair::new("response, first and last category", true, (0, 99_999_000), respond.clone()),
        Pair::new("response, a category and none", false, (0, 1), respond),
        Pair::new("10,000 rows added, one subnormal", true, (plain.clone(), with(5e-324)), gather.clone()),
        Pair::new("10,000 rows added, one of 1e-12", true, (plain.clone(), with(1e-12)), gather.clone()),
        Pair::new("10,000 rows added, all zero or mixed", true, (vec![0.0; 1000], mixed.clone()), gather),
        Pair::new("10,000 f32 added, all or none subnormal", true, (plain_singles, vec![1e-42; 1000]), gather_singles),
        Pair::new("noisy sum, 1,000 rows, one subnormal", false, (plain.clone(), with(5e-324)), release.clone()),
        Pair::new("noisy sum, 1,000 rows, one of 1e-12", false, (plain.clone(), with(1e-12)), release.clone()),
        Pair::new("noisy sum, 1,000 rows, all zero or mixed", false, (vec![0.0; 1000], mixed), release),
        Pair::new("matrix with tiny entries, of 0 and of 1", false, (0.0, 1.0), multiply),
    ])
}

/// What is counted, by name.
fn laws() -> Sampled<Vec<(&'static str, Draw)>> {
    let mut laws: Vec<(&'static str, Draw)> = vec![(
        "64 bits of entropy",
        Box::new(|entropy| {
            black_box(entropy.bits(64)?);
            Ok(())
        }),
    )];
    for (name, noise) in [
        ("discrete Laplace, scale 1", IntegerNoise::laplace(1.0)?),
        ("discrete Laplace, scale 1e3", IntegerNoise::laplace(1e3)?),
        ("discrete Laplace, scale 1e6", IntegerNoise::laplace(1e6)?),
        ("discrete Gaussian, scale 1", IntegerNoise::gaussian(1.0)?),
        ("discrete Gaussian, scale 1e3", IntegerNoise::gaussian(1e3)?),
        ("discrete Gaussian, scale 1e6", IntegerNoise::gaussian(1e6)?),
        ("discrete Gaussian, scale 1e9", IntegerNoise::gaussian(1e9)?),
    ] {
        laws.push((
            name,
            Box::new(move |entropy| {
                black_box(noise.draw_i64(entropy)?);
                Ok(())
            }),
        ));
    }
    for (name, noise) in [
        ("Laplace f64", RealNoise::laplace()),
        ("Gaussian f64", RealNoise::gaussian()),
        ("exponential f64", RealNoise::exponential()),
        ("Gumbel f64", RealNoise::gumbel()),
        ("logistic f64", RealNoise::logistic()),
        ("uniform f64", RealNoise::uniform()),
        ("Tulap f64, epsilon 1, delta 1e-6", RealNoise::tulap(1.0, 1e-6)?),
    ] {
        let noise = RoundedNoise::new(noise, 1.0, -32)?;
        laws.push((
            name,
            Box::new(move |entropy| {
                black_box(noise.add(black_box(0.1), entropy)?);
                Ok(())
            }),
        ));
    }
    laws.push((
        "Bernoulli(0.73)",
        Box::new(|entropy| {
            black_box(bernoulli(black_box(0.73), entropy)?);
            Ok(())
        }),
    ));
    let scores: Vec<i32> = (0..1000).collect();
    laws.push((
        "noisy max of 1,000 scores, scale 1",
        Box::new(move |entropy| {
            black_box(noisy_top_k(&scores, 1, 1.0, SelectionNoise::Gumbel, entropy)?);
            Ok(())
        }),
    ));
    Ok(laws)
}

fn draw(law: &str, draws: u32) -> Result<(), Box<dyn Error>> {
    for pair in pairs()? {
        let release = match law.strip_prefix(pair.name) {
            Some(side) if side.ends_with(ONE) => pair.one,
            Some(side) if side.ends_with(OTHER) => pair.other,
            _ => continue,
        };
        return Ok((0..u64::from(draws)).try_for_each(release)?);
    }
    let laws = laws()?;
    let (_, draw) = laws.iter().find(|(name, _)| *name == law).ok_or("no such law")?;
    let mut entropy = OsEntropy::new();
    for _ in 0..draws {
        draw(&mut entropy)?;
    }
    Ok(())
}

/// The instructions of a run of this program with so many draws.
fn counted(law: &str, draws: u32) -> Result<f64, Box<dyn Error>> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args([law, &draws.to_string()])
        .output()?;
    // "Collected : 123"
    let report = String::from_utf8_lossy(&output.stderr);
    let count = report.lines().find_map(|line| line.split("Collected :").nth(1));
    Ok(count.ok_or("valgrind reports no count")?.trim().parse()?)
}
