//! How the connection is, and the one line that says what happens at the table.

use leptos::prelude::*;
use rules::{Color, Point};
use table::{Draft, Ending, GameResult, Refusal, Table};

use crate::link::{LinkReason, LinkState};
use crate::live_table::{LiveTable, Notice};
use crate::prefs::Lang;
use crate::seats::{Phase, Viewer};
use crate::words::{Word, Words, w};

/// The word for the state of the connection.
pub const fn link_word(state: LinkState) -> Word {
    match state {
        LinkState::Idle => w::LINK_IDLE,
        LinkState::Signaling => w::LINK_SIGNALING,
        LinkState::Connecting => w::LINK_CONNECTING,
        LinkState::Connected => w::LINK_CONNECTED,
        LinkState::Reconnecting => w::LINK_RECONNECTING,
        LinkState::Away => w::LINK_AWAY,
        LinkState::Lost => w::LINK_LOST,
        LinkState::Failed => w::LINK_FAILED,
    }
}

const fn reason_word(reason: LinkReason) -> Word {
    match reason {
        LinkReason::NoWebRtc => w::WHY_NO_WEBRTC,
        LinkReason::NoRandomness => w::WHY_NO_RANDOMNESS,
        LinkReason::SignalingUnreachable => w::WHY_SIGNALING,
        LinkReason::RoomFull => w::WHY_ROOM_FULL,
        LinkReason::HostAbsent => w::WHY_HOST_ABSENT,
        LinkReason::FriendAbsent => w::WHY_FRIEND_ABSENT,
        LinkReason::Taken => w::WHY_TAKEN,
        LinkReason::OtherVersion => w::WHY_OTHER_VERSION,
        LinkReason::Blocked => w::WHY_BLOCKED,
        LinkReason::NoAnswer => w::WHY_NO_ANSWER,
        LinkReason::Superseded => w::WHY_SUPERSEDED,
        LinkReason::Fault => w::WHY_FAULT,
    }
}

/// How the connection is, as a line of its own.
#[component]
pub fn ConnectionLine() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    view! {
        <p
            class="waiting-line"
            data-testid="conn-status"
            role="status"
            data-state=move || live.link.get().state.name()
        >
            {move || {
                let link = live.link.get();
                words.get(if link.screen_off { w::LINK_SCREEN_OFF } else { link_word(link.state) })
            }}
        </p>
    }
}

/// Why there is no connection and what can be done about it.
#[component]
pub fn Trouble() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let trouble = Memo::new(move |_| {
        let link = live.link.get();
        link.reason.map(|reason| (link.state, reason))
    });
    move || {
        trouble.get().map(|(state, reason)| {
            let act = match (state, reason) {
                (_, LinkReason::Superseded) => Some((w::PLAY_HERE, true)),
                (
                    _,
                    LinkReason::Taken
                    | LinkReason::Fault
                    | LinkReason::NoWebRtc
                    | LinkReason::NoRandomness,
                ) => None,
                _ => Some((w::CONN_RETRY, false)),
            };
            view! {
                <div class="banner" data-testid="conn-reason" role="status">
                    <p>{words.say(reason_word(reason))}</p>
                    {act
                        .map(|(word, here)| {
                            view! {
                                <button
                                    type="button"
                                    class="button"
                                    data-testid=if here { "play-here" } else { "conn-retry" }
                                    on:click=move |_| {
                                        if here { live.play_here() } else { live.retry() }
                                    }
                                >
                                    {words.say(word)}
                                </button>
                            }
                        })}
                </div>
            }
        })
    }
}

/// Why a try was refused, in one line.
pub const fn refusal_word(refusal: Refusal) -> Word {
    match refusal {
        Refusal::NotYours => w::NO_NOT_YOURS,
        Refusal::BarFirst => w::NO_BAR_FIRST,
        Refusal::TurnComplete => w::NO_TURN_COMPLETE,
        Refusal::NoDie => w::NO_DIE,
        Refusal::Blocked => w::NO_BLOCKED,
        Refusal::NotAllHome => w::NO_NOT_ALL_HOME,
        Refusal::FartherFirst => w::NO_FARTHER_FIRST,
        Refusal::MustPlayMore => w::NO_MUST_PLAY_MORE,
        Refusal::MustPlayLarger => w::NO_MUST_PLAY_LARGER,
        Refusal::CannotMove => w::NO_CANNOT_MOVE,
    }
}

/// How a game ended, as the result and its points say it.
pub fn ending(result: &GameResult) -> (Word, &'static str) {
    use rules::Win;
    match result.ending {
        Ending::BorneOff(Win::Single) => (w::KIND_SINGLE, "single"),
        Ending::BorneOff(Win::Gammon) => (w::KIND_GAMMON, "gammon"),
        Ending::BorneOff(Win::Backgammon) => (w::KIND_BACKGAMMON, "backgammon"),
        Ending::Dropped => (w::KIND_DROP, "drop"),
        Ending::Resigned(_) => (w::KIND_RESIGN, "resign"),
        Ending::TimedOut => (w::KIND_TIME, "time"),
    }
}

/// Who has won, in words.
pub const fn winner_word(winner: Color, viewer: Viewer) -> Word {
    match (viewer, winner) {
        (Viewer::White, Color::White) | (Viewer::Black, Color::Black) => w::RESULT_WON,
        (Viewer::White | Viewer::Black, _) => w::RESULT_LOST,
        (Viewer::Both, Color::White) => w::RESULT_WHITE,
        (Viewer::Both, Color::Black) => w::RESULT_BLACK,
    }
}

/// The result in one line.
pub fn result_text(lang: Lang, result: &GameResult, viewer: Viewer) -> String {
    let (kind, _) = ending(result);
    let points = w::RESULT_POINTS
        .fill(lang, &[("kind", &kind.in_language(lang)), ("points", &result.points)]);
    format!("{} {points}", finished(winner_word(result.winner, viewer).in_language(lang)))
}

/// A sentence with its full stop.
fn finished(sentence: &str) -> String {
    let stop = if sentence.ends_with(['!', '.', '…']) { "" } else { "." };
    format!("{sentence}{stop}")
}

/// Everything that the line speaks of.
#[derive(Clone, Copy, Debug)]
pub struct Scenery<'a> {
    /// The table.
    pub table: &'a Table,
    /// The trial moves.
    pub draft: Option<&'a Draft>,
    /// Who looks.
    pub viewer: Viewer,
    /// The latest event.
    pub notice: Option<&'a Notice>,
    /// The side whose home is near.
    pub bottom: Color,
    /// Whether this page may write entries now.
    pub may_sign: bool,
    /// The names of the sides as they are shown.
    pub side: [&'a str; 2],
}

/// What just happened, in words; nothing if the prompt says it all.
fn event_text(lang: Lang, it: &Scenery) -> Option<String> {
    let side = |color: Color| it.side[usize::from(color.seat())].to_owned();
    match it.notice? {
        Notice::Opening { dice, first, ties } => {
            let first = match first {
                Color::White => w::FIRST_WHITE,
                Color::Black => w::FIRST_BLACK,
            };
            let (white, black) = (dice.first.pips(), dice.second.pips());
            let word = if *ties > 0 { w::NOTE_OPENING_TIES } else { w::NOTE_OPENING };
            Some(word.fill(
                lang,
                &[
                    ("ties", ties),
                    ("white", &white),
                    ("black", &black),
                    ("first", &first.in_language(lang)),
                ],
            ))
        }
        // What is to be done says the roll.
        Notice::Rolled { .. } => None,
        Notice::Played { color, text } => {
            Some(w::NOTE_PLAYED.fill(lang, &[("side", &side(*color)), ("play", text)]))
        }
        Notice::NoMove { color, dice } => {
            let (first, second) = (dice.larger().pips(), dice.smaller().pips());
            Some(
                w::NOTE_NO_MOVE
                    .fill(lang, &[("side", &side(*color)), ("first", &first), ("second", &second)]),
            )
        }
        Notice::NewGame => Some(w::NOTE_NEW_GAME.in_language(lang).to_owned()),
        Notice::WishesNext => Some(w::NOTE_WISHES_NEXT.in_language(lang).to_owned()),
        Notice::Over(_) | Notice::Refused(_) => None,
    }
}

/// Where the picked checker may go, in words.
fn targets_text(lang: Lang, draft: &Draft, painted: impl Fn(Point) -> u8) -> Option<String> {
    let picked = draft.picked()?;
    let mut targets: Vec<u8> = draft.targets(picked).iter().map(|it| painted(it.point)).collect();
    targets.sort_unstable_by(|a, b| b.cmp(a));
    let names: Vec<String> = targets
        .iter()
        .map(|&number| match number {
            0 => w::SAY_OFF.in_language(lang).to_owned(),
            number => number.to_string(),
        })
        .collect();
    let list = match names.split_last() {
        None => return None,
        Some((last, [])) => last.clone(),
        Some((last, rest)) => {
            format!("{} {} {last}", rest.join(", "), w::SAY_OR.in_language(lang))
        }
    };
    Some(if picked == Point::BAR {
        w::SAY_TARGETS_BAR.fill(lang, &[("targets", &list)])
    } else {
        w::SAY_TARGETS.fill(lang, &[("point", &painted(picked)), ("targets", &list)])
    })
}

/// What is to be done now, in words.
fn prompt(lang: Lang, it: &Scenery) -> Option<String> {
    let plain = |word: Word| Some(word.in_language(lang).to_owned());
    let turn = it.table.on_roll();
    // The numbers as they are painted: those of the side whose home is near.
    let painted = |point: Point| match point.mirrored() {
        Some(mirrored) if turn != it.bottom => mirrored.number(),
        _ => point.number(),
    };
    let side = it.side[usize::from(turn.seat())].to_owned();
    let dice = it.table.dice().map(|dice| (dice.larger().pips(), dice.smaller().pips()));
    match Phase::of(it.table, it.draft, it.viewer) {
        Phase::Opening => plain(w::SAY_OPENING),
        Phase::ToRoll if it.viewer == Viewer::Both => {
            Some(w::SAY_ROLL.fill(lang, &[("side", &side)]))
        }
        Phase::ToRoll => plain(w::SAY_YOUR_ROLL),
        Phase::Rolling => plain(w::SAY_ROLLING),
        Phase::Moving => {
            if let Some(targets) = it.draft.and_then(|draft| targets_text(lang, draft, painted)) {
                return Some(targets);
            }
            let (first, second) = dice?;
            if it.viewer == Viewer::Both {
                Some(
                    w::SAY_MOVE
                        .fill(lang, &[("side", &side), ("first", &first), ("second", &second)]),
                )
            } else {
                Some(w::SAY_YOUR_MOVE.fill(lang, &[("first", &first), ("second", &second)]))
            }
        }
        Phase::ToConfirm if it.draft.is_some_and(Draft::is_pass) => {
            let (first, second) = dice?;
            Some(
                w::NOTE_NO_MOVE
                    .fill(lang, &[("side", &side), ("first", &first), ("second", &second)]),
            )
        }
        Phase::ToConfirm if !it.may_sign => plain(w::NOT_SYNCED),
        Phase::ToConfirm => plain(w::SAY_COMPLETE),
        Phase::Waiting => match (it.table.state(), dice) {
            (table::State::Opening, _) => plain(w::SAY_OPENING_WAIT),
            (_, Some((first, second))) => Some(
                w::SAY_WAIT_MOVE
                    .fill(lang, &[("side", &side), ("first", &first), ("second", &second)]),
            ),
            (_, None) => Some(w::SAY_WAIT_ROLL.fill(lang, &[("side", &side)])),
        },
        Phase::GameOver | Phase::MatchOver => Some(match it.table.result() {
            Some(result) => result_text(lang, result, it.viewer),
            None => w::SAY_OVER.in_language(lang).to_owned(),
        }),
        Phase::CubeOffered | Phase::ResignOffered => None,
    }
}

/// The line: one message for each event, then what is to be done.
pub fn status_text(lang: Lang, it: &Scenery) -> String {
    if let Some(Notice::Refused(refusal)) = it.notice {
        return refusal_word(*refusal).in_language(lang).to_owned();
    }
    let prompt = prompt(lang, it);
    let picked = it.draft.is_some_and(|draft| draft.picked().is_some());
    let begun = it.draft.is_some_and(|draft| !draft.moves().is_empty());
    // What happened before is old once the turn has begun.
    let event = if picked || begun { None } else { event_text(lang, it) };
    match (event, prompt) {
        // The opening says the dice and whose they are.
        (Some(event), Some(_)) if matches!(it.notice, Some(Notice::Opening { .. })) => event,
        (Some(event), Some(prompt)) if event == prompt => event,
        (Some(event), Some(prompt)) => format!("{} {prompt}", finished(&event)),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => String::new(),
    }
}
