//! Instructions per draw, which do not depend on how busy the machine is: `make instructions`, on Linux with valgrind.
//!
//! Each law is drawn from a few times and then many times, both under callgrind; the difference is the draws' alone.

use comfy_table::{CellAlignment, Table};
use indistinct_sampling::{
    Entropy, Fallible, IntegerNoise, OsEntropy, RealNoise, RoundedNoise, SelectionNoise, bernoulli, noisy_top_k,
};
use std::{error::Error, hint::black_box, process::Command};

type Draw = Box<dyn Fn(&mut OsEntropy) -> Fallible<()>>;

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
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    Ok(())
}

/// What is counted, by name.
fn laws() -> Fallible<Vec<(&'static str, Draw)>> {
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
                black_box(noise.sample_i64(entropy)?);
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
