use bot::{Evaluator, Scratch, choose};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rules::{Dice, Position};

/// The one source of randomness of training.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn unit(&mut self) -> f32 {
        self.0.random()
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.random_range(0..n)
    }

    pub(crate) fn dice(&mut self) -> Dice {
        loop {
            let (first, second) = (self.0.random_range(1..=6), self.0.random_range(1..=6));
            if let Some(dice) = Dice::new(first, second) {
                return dice;
            }
        }
    }
}

/// Plays games against itself and shows every position before a roll, from the view of the side on
/// roll. `stray` is the chance that a play is drawn instead of chosen, so that odd positions come
/// up too.
pub(crate) fn play(
    evaluator: &mut impl Evaluator,
    random: &mut Random,
    stray: f32,
    mut show: impl FnMut(&Position),
) {
    let mut scratch = Scratch::default();
    let mut position = Position::START;
    let mut dice = random.dice();
    while dice.is_double() {
        dice = random.dice();
    }
    loop {
        let after = if random.unit() < stray {
            let plays = rules::legal(&position, dice);
            let nth = random.below(plays.len());
            plays.iter().nth(nth).map_or(position, |(after, _)| *after)
        } else {
            choose(evaluator, &position, dice, &mut scratch).0
        };
        if after.win().is_some() {
            return;
        }
        position = after.flipped();
        show(&position);
        dice = random.dice();
    }
}
