//! `zari dice`: how evenly the dice of the protocol fall.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;

use crate::stop::Stop;

#[derive(Serialize)]
struct Answer<'a> {
    rolls: u64,
    /// By 6 (first − 1) + (second − 1).
    counts: &'a [u64],
    chi2: f64,
    p: f64,
}

pub(crate) fn run(options: &[&str], out: &mut impl Write) -> Result<ExitCode, Stop> {
    let (rolls, seed) = parse(options).map_err(Stop::Usage)?;
    let counts = fair_dice::simulate(rolls, seed);
    let answer = Answer {
        rolls: counts.rolls(),
        counts: counts.cells(),
        chi2: counts.chi_squared(),
        p: counts.p(),
    };
    serde_json::to_writer(&mut *out, &answer).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(ExitCode::SUCCESS)
}

/// `--rolls N --seed S` in either order, also as `--rolls=N`.
fn parse(options: &[&str]) -> Result<(u64, u64), String> {
    let (mut rolls, mut seed) = (None, None);
    let mut rest = options.iter();
    while let Some(&option) = rest.next() {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let slot = match name {
            "--rolls" => &mut rolls,
            "--seed" => &mut seed,
            _ => return Err(format!("dice takes --rolls N and --seed S, not {option:?}")),
        };
        let value = match value {
            Some(value) => value,
            None => rest.next().ok_or_else(|| format!("{name} needs a number"))?,
        };
        let number: u64 = value
            .parse()
            .map_err(|_| format!("{name} needs a number from 0 to 2^64 - 1, not {value:?}"))?;
        if slot.replace(number).is_some() {
            return Err(format!("{name} is given twice"));
        }
    }
    match (rolls, seed) {
        (Some(0), _) => Err("--rolls needs at least one roll".into()),
        (Some(rolls), Some(seed)) => Ok((rolls, seed)),
        (None, _) => Err("--rolls N is missing".into()),
        (_, None) => Err("--seed S is missing".into()),
    }
}
