use crate::Options;
use crate::checkpoint;
use crate::measure;
use crate::selfplay::Random;
use bot::{Class, Inputs, Scratch, choose, class};
use rules::Position;
use std::time::Instant;

/// TD(0): after every roll the value of the position before it moves towards the value of the
/// position after the best play.
///
/// Source: G. Tesauro, "Temporal Difference Learning and TD-Gammon", 1995, with λ = 0.
pub(crate) fn run(options: &mut Options) -> Result<(), String> {
    let games: u64 = options.number("--games", 100_000)?;
    let hidden: usize = options.number("--hidden", 192)?;
    let seed: u64 = options.number("--seed", 1)?;
    let rate: f32 = options.number("--rate", 0.03)?;
    let done = checkpoint::logged("games").unwrap_or(0.0) as u64;
    let mut random = Random::new(seed.wrapping_add(done));
    let mut nets = checkpoint::load((hidden, 32), || random.unit())?;
    let started = Instant::now();
    let (mut hidden_units, mut slope) = (Vec::new(), Vec::new());
    let mut scratch = Scratch::default();
    let decisions = measure::decisions(None)?;
    for game in 1..=games {
        // The rate falls over the run, so that the last games polish.
        let rate = rate * (1.0 - 0.9 * game as f32 / games as f32);
        let mut position = Position::START;
        let mut dice = random.dice();
        while dice.is_double() {
            dice = random.dice();
        }
        loop {
            let (after, chances) = choose(&mut nets, &position, dice, &mut scratch);
            let net = match class(&position) {
                Class::Contact => Some(&mut nets.contact),
                Class::Race if nets.bear_off.chances(&position).is_none() => Some(&mut nets.race),
                _ => None,
            };
            if let Some(net) = net {
                let inputs = Inputs::of(&position);
                net.learn(&inputs, &chances.to_array(), rate, &mut hidden_units, &mut slope);
            } else {
                // The table knows the rest of this game.
                break;
            }
            if after.win().is_some() {
                break;
            }
            position = after.flipped();
            dice = random.dice();
        }
        if game % 10_000 == 0 || game == games {
            checkpoint::save(&nets)?;
            let error = measure::error(&mut nets, &decisions);
            checkpoint::log(&format!(
                "{{\"stage\":\"td\",\"games\":{},\"seed\":{seed},\"rate\":{rate:.4},\"er\":{error:.2},\"seconds\":{}}}",
                done + game,
                started.elapsed().as_secs()
            ))?;
        }
    }
    Ok(())
}
