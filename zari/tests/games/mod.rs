//! Whole sessions between two seats that choose at random, by any rules; equal seeds give equal
//! sessions.
#![allow(dead_code, clippy::unwrap_used)]

use rules::{ByColor, Clock, Color, Length, Place, Ruleset, legal};
use table::{
    Accept, Awaiting, Command, Header, Kind, Log, Name, Offer, Record, Resignation, Seat, Secret,
    Start, State,
};

/// Numbers from a hash of a seed: the same on every machine.
pub(crate) struct Chance {
    state: fair_dice::Value,
}

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance { state: fair_dice::tagged_hash("test/chance", &[&seed.to_be_bytes()]) }
    }

    pub(crate) fn value(&mut self) -> fair_dice::Value {
        self.state = fair_dice::tagged_hash("test/next", &[&self.state]);
        self.state
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        let [a, b, c, d, ..] = self.value();
        u32::from_be_bytes([a, b, c, d]) as usize % limit
    }

    pub(crate) fn in_100(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A table with both secrets in one hand.
pub(crate) struct Session {
    pub(crate) log: Log,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) chance: Chance,
}

/// How two seats behave.
pub(crate) struct Habits {
    /// Of 100 chances to double, how many are used.
    pub(crate) double: usize,
    /// Of 100 chances to resign, how many are used.
    pub(crate) resign: usize,
    /// The longest time for one entry in milliseconds.
    pub(crate) slowness: usize,
}

impl Session {
    pub(crate) fn new(ruleset: Ruleset, seed: u64) -> Session {
        let mut chance = Chance::new(seed);
        let secrets =
            ByColor { white: Secret::new(chance.value()), black: Secret::new(chance.value()) };
        let names = ByColor { white: Name::of("Нино"), black: Name::of("Guest") };
        Session::between(ruleset, secrets, names, chance)
    }

    pub(crate) fn between(
        ruleset: Ruleset,
        secrets: ByColor<Secret>,
        names: ByColor<Name>,
        chance: Chance,
    ) -> Session {
        let offer = Offer { ruleset, host_key: secrets.white.public_key(), host_name: names.white };
        let offer_bytes = offer.to_bytes();
        let accept = Accept::to_offer(&offer_bytes, &secrets.black, names.black);
        let accept_bytes = accept.to_bytes();
        let start = Start::to_accept(&secrets.white, &offer, &accept).unwrap();
        let gid = table::game_id(&offer_bytes, &accept_bytes, &start.anchor);
        let signature = secrets.black.sign(&gid);
        let seats = ByColor {
            white: Seat::host(secrets.white, &offer_bytes, &accept_bytes),
            black: Seat::guest(secrets.black, &offer_bytes),
        };
        let header = Header::new(offer, accept, start, signature).unwrap();
        Session { log: Log::new(header), seats, chance }
    }

    /// Writes entries until `stop` or until nobody may.
    pub(crate) fn play(&mut self, habits: &Habits, stop: impl Fn(&Log) -> bool) {
        while !stop(&self.log) {
            let Awaiting::Seat(color, _) = self.log.table().awaiting() else { return };
            let command = self.choose(color, habits);
            let spent = self.chance.below(habits.slowness + 1) as u32;
            let seat = &self.seats[color];
            let record = self
                .log
                .compose(seat, command, spent)
                .or_else(|fault| match command {
                    // Time that is not up yet, seen from before this entry's own time.
                    Command::TimeOut => {
                        let other = self.fallback(color);
                        self.log.compose(seat, other, spent)
                    }
                    _ => Err(fault),
                })
                .unwrap();
            self.log.append(record).unwrap();
        }
    }

    fn choose(&mut self, color: Color, habits: &Habits) -> Command {
        let table = self.log.table();
        let awaiting = table.awaiting();
        let may = |kind| awaiting.allows(color, kind);
        if may(Kind::TimeOut) && table.reserve_left_ms(color) == Some(0) {
            return Command::TimeOut;
        }
        if may(Kind::Resign) && self.chance.in_100(habits.resign) {
            let offers: Vec<Resignation> = table.resignations().collect();
            return Command::Resign(offers[self.chance.below(offers.len())]);
        }
        match table.state() {
            State::Free(_) if self.chance.in_100(habits.double) => Command::Double,
            State::TakeOrDrop(_) => match self.chance.below(8) {
                0 => Command::Drop,
                1..=3 if may(Kind::Beaver) => Command::Beaver,
                _ => Command::Take,
            },
            State::Beavered(_) if self.chance.in_100(30) => Command::Drop,
            State::Answer(_) if self.chance.in_100(60) => Command::Decline,
            State::Answer(_) => Command::Accept,
            State::Over => Command::Ready,
            State::ToPlay(_) => self.any_play(),
            _ => self.fallback(color),
        }
    }

    fn any_play(&mut self) -> Command {
        let table = self.log.table();
        let plays = legal(table.position(), table.dice().unwrap());
        let chosen = self.chance.below(plays.len());
        Command::Play(plays.iter().nth(chosen).unwrap().1)
    }

    /// What is always possible.
    fn fallback(&self, color: Color) -> Command {
        let table = self.log.table();
        let awaiting = table.awaiting();
        match table.state() {
            State::ToPlay(_) => {
                let plays = legal(table.position(), table.dice().unwrap());
                Command::Play(plays.iter().next().unwrap().1)
            }
            State::TakeOrDrop(_) => Command::Drop,
            _ if awaiting.allows(color, Kind::Roll) => Command::Roll,
            _ => Command::Reveal,
        }
    }

    /// A record that its seat signs though it may well be wrong.
    pub(crate) fn forge(
        &self,
        color: Color,
        change: impl FnOnce(&mut table::Entry),
        like: &Record,
    ) -> Record {
        let mut entry = like.entry.clone();
        entry.seat = color;
        change(&mut entry);
        entry.sign(self.log.header().game_id(), self.seats[color].secret())
    }
}

/// Rulesets that together have everything.
pub(crate) fn rulesets() -> Vec<Ruleset> {
    let plain = Ruleset::georgian(1, Place::TwoBrowsers);
    let cube = Ruleset { cube: Some(6), ..plain };
    let slow = Clock::Reserve { delay: 2, reserve: 90 };
    vec![
        plain,
        Ruleset::georgian(3, Place::TwoBrowsers),
        Ruleset::georgian(1, Place::OneBrowser),
        Ruleset { clock: Clock::Finish { seconds: 30 }, ..plain },
        Ruleset { length: Length::Match(5), crawford: true, ..cube },
        Ruleset { length: Length::Match(7), crawford: true, clock: slow, ..cube },
        Ruleset { length: Length::Match(3), ..cube },
        Ruleset { length: Length::Money, jacoby: true, beavers: true, ..cube },
        Ruleset { length: Length::Money, beavers: true, clock: slow, cube: Some(2), ..cube },
        Ruleset { length: Length::Money, clock: slow, ..plain },
    ]
}
