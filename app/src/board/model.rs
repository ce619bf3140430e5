//! What the board shows, as one value: computed from the table and the trial moves, without any
//! knowledge of the screen.

use rules::{Color, Point};
use table::{Draft, Reach, State, Table};

use super::scene::{Layout, Scene};
use crate::live_table::Spot;
use crate::seats::{Phase, Viewer};

/// The dice as they lie on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiceShown {
    /// In whose half they lie.
    pub roller: Color,
    /// The number of the roll at this table: other dice with equal faces are other dice.
    pub roll: u32,
    /// From left to right; two, or four of a double.
    pub faces: Vec<Face>,
    /// The two values, the larger first.
    pub values: [u8; 2],
    /// What is not played yet, the active die first.
    pub left: Vec<u8>,
}

/// A die that lies on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face {
    /// 1 … 6.
    pub pips: u8,
    /// Whether it is played already.
    pub played: bool,
}

/// Everything that the board shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What the screen is in.
    pub phase: Phase,
    /// Whose turn it is.
    pub turn: Color,
    /// Who looks.
    pub viewer: Viewer,
    /// The GNU Position ID of what is shown, from the side of `turn`.
    pub position: String,
    /// Where the checkers lie.
    pub layout: Layout,
    /// The layouts after each move of the latest finished play, oldest first, and before it.
    latest_play: Option<(Layout, Vec<Layout>)>,
    /// Where the picked checker lies.
    pub picked: Option<Spot>,
    /// Where a checker may be picked up.
    pub sources: Vec<Spot>,
    /// Where the picked checker may land.
    pub targets: Vec<(Spot, Reach)>,
    /// The dice, once they are thrown.
    pub dice: Option<DiceShown>,
    /// From where to where the other side moved.
    pub trail: Vec<(Spot, Spot)>,
}

/// The spot of a place in the view of `color`.
#[must_use]
pub fn spot(place: Point, color: Color) -> Spot {
    match (place.number(), color) {
        (0, _) => Spot::Off(color),
        (25, _) => Spot::Bar(color),
        (number, Color::White) => Spot::Point(number),
        (number, Color::Black) => Spot::Point(25 - number),
    }
}

impl Model {
    /// What a table looks like to `viewer`; `draft` are the trial moves of this screen.
    #[must_use]
    pub fn new(table: &Table, draft: Option<&Draft>, viewer: Viewer) -> Model {
        let turn = table.on_roll();
        let position = draft.map_or(*table.position(), Draft::position);
        let spot = |place| spot(place, turn);
        let picked = draft.and_then(Draft::picked);
        let latest = table.last_turn();
        let latest_play = latest.map(|latest| {
            let mut position = latest.before;
            let before = Layout::new(&position, latest.color);
            let layouts = latest
                .play
                .iter()
                .filter_map(|it| {
                    position = position.after_move(it).ok()?;
                    Some(Layout::new(&position, latest.color))
                })
                .collect();
            (before, layouts)
        });
        let untouched = draft.is_none_or(|draft| draft.moves().is_empty());
        let trail = latest
            .filter(|latest| latest.color != turn && untouched)
            .map(|latest| {
                let spot = |place| self::spot(place, latest.color);
                latest.play.iter().map(|it| (spot(it.from), spot(it.to()))).collect()
            })
            .unwrap_or_default();
        Model {
            phase: Phase::of(table, draft, viewer),
            turn,
            viewer,
            position: position.gnu_id(),
            layout: Layout::new(&position, turn),
            latest_play,
            picked: picked.map(spot),
            sources: draft.map(Draft::sources).unwrap_or_default().into_iter().map(spot).collect(),
            targets: match (draft, picked) {
                (Some(draft), Some(from)) => {
                    draft.targets(from).into_iter().map(|it| (spot(it.point), it.reach)).collect()
                }
                _ => Vec::new(),
            },
            dice: dice(table, draft),
            trail,
        }
    }

    /// The scene after `before`: the play of the other side one checker after the other, anything
    /// else at once.
    #[must_use]
    pub fn scene(&self, before: Option<&Scene>) -> Scene {
        match (before, &self.latest_play) {
            (None, _) => Scene::new(&self.layout),
            (Some(scene), Some((start, layouts)))
                if layouts.last() == Some(&self.layout)
                    && scene.shows(start)
                    && !scene.shows(&self.layout) =>
            {
                scene.played(layouts)
            }
            (Some(scene), _) => scene.moved_to(&self.layout),
        }
    }

    /// How the picked checker can reach `spot`, if it can.
    #[must_use]
    pub fn reach(&self, spot: Spot) -> Option<Reach> {
        self.targets.iter().find(|(target, _)| *target == spot).map(|&(_, reach)| reach)
    }

    /// Whether a press on `spot` does something now.
    #[must_use]
    pub fn is_playable(&self, spot: Spot) -> bool {
        self.sources.contains(&spot) || self.reach(spot).is_some()
    }
}

fn dice(table: &Table, draft: Option<&Draft>) -> Option<DiceShown> {
    let dice = table.dice()?;
    let roller = match table.state() {
        State::ToPlay(color) => color,
        _ => table.on_roll(),
    };
    let (larger, smaller) = (dice.larger().pips(), dice.smaller().pips());
    let left: Vec<u8> = match draft {
        Some(draft) => draft.unplayed().into_iter().map(|die| die.pips()).collect(),
        None if dice.is_double() => vec![larger; 4],
        None => vec![larger, smaller],
    };
    let faces = if dice.is_double() {
        (0..4).map(|at| Face { pips: larger, played: at >= left.len() }).collect()
    } else {
        let order = if draft.is_some_and(Draft::is_swapped) {
            [smaller, larger]
        } else {
            [larger, smaller]
        };
        order.map(|pips| Face { pips, played: !left.contains(&pips) }).to_vec()
    };
    Some(DiceShown {
        roller,
        roll: table.last_roll().map_or(0, |roll| roll.index),
        faces,
        values: [larger, smaller],
        left,
    })
}
