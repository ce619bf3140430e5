use crate::Options;
use crate::checkpoint;
use crate::measure;
use crate::selfplay::{Random, play};
use bot::{Class, Inputs, Scratch, class, value};
use rules::Position;
use std::time::Instant;

/// Learns the mean over all 21 rolls of the next ply, as the present networks see it: far less
/// noise than one roll. Rounds of play and learning alternate; positions of the latest rounds are
/// learned again.
pub(crate) fn run(options: &mut Options) -> Result<(), String> {
    let rounds: u64 = options.number("--rounds", 10)?;
    let positions: usize = options.number("--positions", 100_000)?;
    let keep: usize = options.number("--keep", 10)?;
    let epochs: usize = options.number("--epochs", 2)?;
    let seed: u64 = options.number("--seed", 1)?;
    let rate: f32 = options.number("--rate", 0.01)?;
    let last_rate: f32 = options.number("--last-rate", rate)?;
    let stray: f32 = options.number("--stray", 0.03)?;
    let done = checkpoint::logged("rounds").unwrap_or(0.0) as u64;
    let mut random = Random::new(seed.wrapping_add(1_000_003 * (done + 1)));
    let mut nets = checkpoint::load((192, 32), || random.unit())?;
    let decisions = measure::decisions(None)?;
    let mut known: std::collections::VecDeque<Vec<(Position, [f32; 5])>> =
        std::collections::VecDeque::new();
    let (mut hidden, mut slope, mut scratch) = (Vec::new(), Vec::new(), Scratch::default());
    let started = Instant::now();
    for round in 1..=rounds {
        let mut seen = Vec::with_capacity(positions);
        while seen.len() < positions {
            play(&mut nets, &mut random, stray, |position| {
                let exact = nets_know(position);
                if !exact && seen.len() < positions {
                    seen.push(*position);
                }
            });
        }
        let lesson = seen
            .into_iter()
            .map(|it| (it, value(&mut nets, &it, 1, &mut scratch).to_array()))
            .collect();
        known.push_back(lesson);
        if known.len() > keep {
            known.pop_front();
        }
        let mut order: Vec<(usize, usize)> = known
            .iter()
            .enumerate()
            .flat_map(|(lesson, it)| (0..it.len()).map(move |at| (lesson, at)))
            .collect();
        let rate = rate + (last_rate - rate) * (round - 1) as f32 / rounds.max(2) as f32;
        let mut loss = 0.0;
        for _ in 0..epochs {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
            loss = 0.0;
            for &(lesson, at) in &order {
                let (position, target) = &known[lesson][at];
                let net = match class(position) {
                    Class::Contact => &mut nets.contact,
                    _ => &mut nets.race,
                };
                loss += net.learn(&Inputs::of(position), target, rate, &mut hidden, &mut slope);
            }
            loss /= order.len() as f32;
        }
        checkpoint::save(&nets)?;
        let error = measure::error(&mut nets, &decisions);
        checkpoint::log(&format!(
            "{{\"stage\":\"fit\",\"rounds\":{},\"positions\":{positions},\"seed\":{seed},\"rate\":{rate:.5},\"loss\":{loss:.6},\"er\":{error:.2},\"seconds\":{}}}",
            done + round,
            started.elapsed().as_secs()
        ))?;
    }
    Ok(())
}

/// Whether the position is valued without a network.
fn nets_know(position: &Position) -> bool {
    let setup = position.setup();
    let home = |points: &[i8], sign: i8| points.iter().all(|it| it * sign <= 0);
    class(position) == Class::Over
        || (setup.bar == [0, 0]
            && home(&setup.points[6..], 1)
            && home(&setup.points[..18], -1)
            && class(position) == Class::Race)
}
