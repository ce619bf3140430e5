//! The table: board, seats, score, moves, and what can be done now.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use rules::{ByColor, Color, parse_play, write_play};
use table::{Draft, Table};
use wasm_bindgen::JsCast;

use super::app::Over;
use super::facts::length_text;
use super::icons;
use super::parts::{Brand, Languages};
use super::result::{NextButton, ResultDialog};
use super::status::{Scenery, Trouble, link_word, status_text};
use super::verify::{VerifyDialog, export};
use crate::board::{Board, Model, side_word};
use crate::live_table::{LiveTable, Notice, Touch};
use crate::prefs::{Lang, Prefs};
use crate::route::Route;
use crate::seats::{Phase, Viewer, proves};
use crate::shell::Shell;
use crate::words::{Words, w};

/// The name of a side as it is shown: its own, else the colour's word.
fn shown_name(lang: Lang, names: &ByColor<String>, color: Color) -> String {
    let own = &names[color];
    if own.is_empty() { side_word(color).in_language(lang).to_owned() } else { own.clone() }
}

/// The screen of an open game.
#[component]
pub fn TableScreen(
    /// What lies over the board.
    over: RwSignal<Over>,
    /// Whether the result does.
    shows_result: Memo<bool>,
    /// What the screen is in.
    phase: Memo<Option<Phase>>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let prefs = expect_context::<Prefs>();
    let shell = expect_context::<Shell>();
    let words = Words::here();
    let flipped = RwSignal::new(false);
    let model = Memo::new(move |before: Option<&Option<Model>>| {
        let viewer = live.viewer.get();
        let now = live.table.with(|table| {
            let table = table.as_ref()?;
            Some(live.draft.with(|draft| Model::new(table, draft.as_ref(), viewer)))
        });
        now.or_else(|| before.cloned().flatten())
    });
    let bottom = Memo::new(move |_| {
        let own = match live.viewer.get() {
            Viewer::White => Color::White,
            Viewer::Black => Color::Black,
            Viewer::Both if prefs.turn_board.get() => {
                model.with(|it| it.as_ref().map_or(Color::White, |it| it.turn))
            }
            Viewer::Both => Color::White,
        };
        if flipped.get() { own.opposite() } else { own }
    });
    listen_for_keys(live, prefs, shell, over);
    let is_open = Memo::new(move |_| model.with(Option::is_some));
    let opened = move || {
        is_open.get().then(|| {
            // `is_open` holds from here on: the memo keeps the last model.
            let shown = Signal::derive(move || model.get());
            view! { <BoardOfModel model=shown bottom=bottom.into() /> }
        })
    };
    view! {
        <main class="table">
            <div class="sheet" class:open=move || over.get() == Over::Menu>
                <div class="sheet-head">
                    <strong>{words.say(w::MENU)}</strong>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="menu-close"
                        aria-label=words.say(w::CLOSE)
                        on:click=move |_| over.set(Over::Nothing)
                    >
                        {icons::cross()}
                    </button>
                </div>
                <header class="brand">
                    <Brand />
                    <p>
                        {move || {
                            live.table
                                .with(|it| {
                                    it.as_ref().map(|it| length_text(words.lang(), it.ruleset()))
                                })
                        }}
                    </p>
                </header>
                <div class="tools">
                    <Languages />
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="btn-flip"
                        aria-label=words.say(w::FLIP)
                        aria-pressed=move || flipped.get().to_string()
                        on:click=move |_| flipped.update(|it| *it = !*it)
                    >
                        {icons::flip()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="btn-help"
                        aria-label=words.say(w::HELP)
                        on:click=move |_| shell.go(Route::Help)
                    >
                        {icons::question()}
                    </button>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="btn-settings"
                        aria-label=words.say(w::SETTINGS)
                        on:click=move |_| shell.go(Route::Settings)
                    >
                        {icons::sliders()}
                    </button>
                </div>
                <Record over />
            </div>
            <button
                type="button"
                class="icon-button menu-button"
                data-testid="btn-menu"
                aria-label=words.say(w::MENU)
                on:click=move |_| over.set(Over::Menu)
            >
                {icons::menu()}
            </button>
            <SeatCard place="far" color=Signal::derive(move || bottom.get().opposite()) />
            <ScoreCard />
            {opened}
            <SeatCard place="near" color=bottom.into() />
            <Acts phase over shows_result />
            <StatusLine bottom />
            <Choices />
            <Banners />
            {move || shows_result.get().then(|| view! { <ResultDialog over /> })}
            {move || (over.get() == Over::Verify).then(|| view! { <VerifyDialog over /> })}
        </main>
    }
}

/// The board, once there is something to show.
#[component]
fn BoardOfModel(
    /// What the table shows; it never becomes `None` again.
    model: Signal<Option<Model>>,
    /// The side whose home is near.
    bottom: Signal<Color>,
) -> impl IntoView {
    let first = model.get_untracked();
    first.map(|first| {
        let shown = Memo::new(move |_| model.get().unwrap_or_else(|| first.clone()));
        view! { <Board model=shown.into() bottom /> }
    })
}

/// A side: its name, how it is connected, its pips.
#[component]
fn SeatCard(
    /// `near` or `far`.
    place: &'static str,
    /// Whose.
    color: Signal<Color>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let on_turn = Memo::new(move |_| {
        live.table.with(|table| {
            table.as_ref().is_some_and(|it| it.result().is_none() && it.on_roll() == color.get())
        })
    });
    let mine = Memo::new(move |_| {
        live.viewer.get() != Viewer::Both && live.viewer.get().plays(color.get())
    });
    let pips = Memo::new(move |_| {
        live.table.with(|table| {
            let table = table.as_ref()?;
            let position =
                live.draft.with(|draft| draft.as_ref().map_or(*table.position(), Draft::position));
            Some(if table.on_roll() == color.get() {
                position.pips()
            } else {
                position.opponent_pips()
            })
        })
    });
    let proven = Memo::new(move |_| live.table.with(|it| it.as_ref().is_some_and(|it| proves(it))));
    let sub = move || {
        let turn = on_turn.get();
        let word = match (live.viewer.get(), mine.get()) {
            (Viewer::Both, _) => turn.then_some(w::ON_TURN),
            (_, true) => Some(if turn { w::YOUR_TURN } else { w::THAT_IS_YOU }),
            (_, false) => turn.then_some(w::ON_TURN),
        };
        word.map(|word| words.get(word))
    };
    view! {
        <section
            class=format!("seat {place}")
            class:on-turn=move || on_turn.get()
            class:plain=move || sub().is_none() && (mine.get() || !proven.get())
            aria-label=move || words.get(side_word(color.get()))
        >
            <span
                class="stone"
                class:white=move || color.get() == Color::White
                class:black=move || color.get() == Color::Black
                aria-hidden="true"
            ></span>
            <span class="name">
                {move || live.names.with(|names| shown_name(words.lang(), names, color.get()))}
            </span>
            <span class="sub">
                {move || {
                    if proven.get() && !mine.get() {
                        view! {
                            <span
                                data-testid="conn-status"
                                role="status"
                                data-state=move || live.link.get().state.name()
                            >
                                {move || {
                                    let link = live.link.get();
                                    let word = if link.screen_off {
                                        w::LINK_SCREEN_OFF
                                    } else {
                                        link_word(link.state)
                                    };
                                    words.get(word)
                                }}
                            </span>
                        }
                            .into_any()
                    } else {
                        view! { <span>{sub}</span> }.into_any()
                    }
                }}
            </span>
            <span
                class="pips"
                data-testid=move || match color.get() {
                    Color::White => "pip-white",
                    Color::Black => "pip-black",
                }
                data-value=move || pips.get()
            >
                {move || pips.get()}
            </span>
            <span class="pips-label">
                {move || pips.get().map(|count| words.fill(w::PIPS, &[("count", &count)]))}
            </span>
        </section>
    }
}

/// The score of the match.
#[component]
fn ScoreCard() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let points = move |color: Color| {
        live.table.with(|table| {
            table.as_ref().map(|it| {
                let points = it.score().points[color];
                // Shown at most as the match's length; the game's own points stand in the result.
                it.ruleset().match_length().map_or(points, |length| points.min(length.into()))
            })
        })
    };
    let length = move || {
        live.table.with(|it| it.as_ref().map(|it| it.ruleset().match_length().unwrap_or(0)))
    };
    let crawford = move || live.table.with(|it| it.as_ref().map(|it| it.score().is_crawford()));
    view! {
        <section
            class="score"
            data-testid="score"
            data-white=move || points(Color::White)
            data-black=move || points(Color::Black)
            data-length=length
            data-crawford=move || crawford().map(|it| it.to_string())
        >
            <span class="soft">{words.say(w::SCORE)}</span>
            <span class="figures">
                {move || {
                    let [white, black] =
                        Color::ALL.map(|color| points(color).unwrap_or_default());
                    format!("{white} : {black}")
                }}
            </span>
            <span class="soft">
                {move || match length() {
                    None | Some(0) => words.get(w::SCORE_MONEY).to_owned(),
                    Some(1) => words.get(w::SCORE_GAME).to_owned(),
                    Some(length) => words.fill(w::SCORE_TO, &[("length", &length)]),
                }}
            </span>
        </section>
    }
}

/// The moves of the game, a field to type one, and the way to the proof of the dice.
#[component]
fn Record(
    /// What lies over the board.
    over: RwSignal<Over>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let list = NodeRef::<html::Ol>::new();
    let typed = NodeRef::<html::Input>::new();
    let wrong = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        live.moves.track();
        if let Some(list) = list.get() {
            list.set_scroll_top(list.scroll_height());
        }
    });
    let play_typed = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(field) = typed.get_untracked() else { return };
        let text = field.value();
        let play = live.draft.with_untracked(|draft| {
            let draft = draft.as_ref()?;
            parse_play(draft.start(), draft.dice(), text.trim()).ok()
        });
        match play {
            Some(play) => {
                live.touch(Touch::Play(play));
                field.set_value("");
                wrong.set(None);
            }
            None => wrong.set(Some(text)),
        }
    };
    let can_type = Memo::new(move |_| live.draft.with(Option::is_some));
    view! {
        <section class="record">
            <h2>{words.say(w::MOVES)}</h2>
            <ol class="moves" data-testid="move-log" role="log" aria-live="off" node_ref=list tabindex="0">
                <For each=move || numbered(&live.moves.get()) key=|it| it.seq let:it>
                    <li
                        data-testid="move-item"
                        class:white=it.color == Color::White
                        class:black=it.color == Color::Black
                    >
                        {(it.color == Color::White)
                            .then(|| view! { <span class="turn-number">{it.number}</span> })}
                        <span>
                            <span class="dice-text">{it.dice} " "</span>
                            {move || {
                                if it.text.is_empty() {
                                    words.get(w::MOVE_NONE).to_owned()
                                } else {
                                    it.text.clone()
                                }
                            }}
                        </span>
                    </li>
                </For>
            </ol>
            <form class="notation" on:submit=play_typed>
                <input
                    class="input"
                    data-testid="move-input"
                    type="text"
                    autocomplete="off"
                    autocapitalize="off"
                    spellcheck="false"
                    aria-label=words.say(w::MOVE_INPUT)
                    placeholder=words.say(w::MOVE_INPUT_HINT)
                    disabled=move || !can_type.get()
                    node_ref=typed
                    on:input=move |_| wrong.set(None)
                />
            </form>
            <p class="wrong-move bad" role="status" aria-live="polite">
                {move || wrong.get().map(|text| words.fill(w::MOVE_INPUT_BAD, &[("text", &text)]))}
            </p>
            <div class="proof">
                <button
                    type="button"
                    class="verify-line"
                    data-testid="verify-dice"
                    on:click=move |_| over.set(Over::Verify)
                >
                    {icons::tick()}
                    <span>
                        {move || {
                            let count = live.rolls.with(|it| it.len());
                            words.fill(w::VERIFY_LINE, &[("count", &count)])
                        }}
                    </span>
                </button>
                // While the check is open, its own button saves the transcript.
                {move || {
                    (over.get() != Over::Verify)
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    class="icon-button"
                                    data-testid="transcript-export"
                                    aria-label=words.say(w::TRANSCRIPT_EXPORT)
                                    on:click=move |_| export(live)
                                >
                                    {icons::save()}
                                </button>
                            }
                        })
                }}
            </div>
        </section>
    }
}

/// A line of the record with the number of its turn.
#[derive(Clone, PartialEq, Eq)]
struct NumberedLine {
    seq: u32,
    color: Color,
    number: usize,
    dice: String,
    text: String,
}

/// White's and black's play of one number stand beside each other, also when black began.
fn numbered(lines: &[crate::live_table::Line]) -> Vec<NumberedLine> {
    let mut number = 0;
    lines
        .iter()
        .enumerate()
        .map(|(index, line)| {
            if index == 0 || line.color == Color::White {
                number += 1;
            }
            NumberedLine {
                seq: line.seq,
                color: line.color,
                number,
                dice: format!("{}{}", line.dice.larger().pips(), line.dice.smaller().pips()),
                text: line.text.clone(),
            }
        })
        .collect()
}

/// The buttons for what can be done now. The row keeps its height when there is nothing.
#[component]
fn Acts(
    /// What the screen is in.
    phase: Memo<Option<Phase>>,
    /// What lies over the board.
    over: RwSignal<Over>,
    /// Whether the result does.
    shows_result: Memo<bool>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let prefs = expect_context::<Prefs>();
    let words = Words::here();
    let untouched = Memo::new(move |_| {
        live.draft.with(|it| it.as_ref().is_none_or(|it| it.moves().is_empty()))
    });
    let is_pass = Memo::new(move |_| live.draft.with(|it| it.as_ref().is_some_and(Draft::is_pass)));
    // Confirming waits for the first sync with the friend; trial moves do not.
    let can_confirm =
        Memo::new(move |_| phase.get() == Some(Phase::ToConfirm) && live.may_sign.get());
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Row {
        Roll,
        Move,
        Pass,
        Over,
        Nothing,
    }
    let row = Memo::new(move |_| match phase.get() {
        Some(Phase::Opening | Phase::ToRoll) => Row::Roll,
        Some(Phase::ToConfirm) if is_pass.get() => {
            if prefs.ask_pass.get() {
                Row::Pass
            } else {
                Row::Nothing
            }
        }
        Some(Phase::Moving | Phase::ToConfirm) => Row::Move,
        Some(Phase::GameOver | Phase::MatchOver) if !shows_result.get() => Row::Over,
        _ => Row::Nothing,
    });
    view! {
        <div class="acts">
            {move || match row.get() {
                Row::Roll => {
                    view! {
                        <button
                            type="button"
                            class="button primary"
                            data-testid="btn-roll"
                            disabled=move || !live.may_sign.get()
                            on:click=move |_| live.touch(Touch::Roll)
                        >
                            {words.say(w::ROLL)}
                        </button>
                    }
                        .into_any()
                }
                Row::Move => {
                    view! {
                        <button
                            type="button"
                            class="button small"
                            data-testid="btn-reset"
                            aria-label=words.say(w::RESET)
                            disabled=move || untouched.get()
                            on:click=move |_| live.touch(Touch::Reset)
                        >
                            {icons::reset()}
                        </button>
                        <button
                            type="button"
                            class="button small"
                            data-testid="btn-undo"
                            aria-label=words.say(w::UNDO_NAME)
                            disabled=move || untouched.get()
                            on:click=move |_| live.touch(Touch::Undo)
                        >
                            {icons::undo()}
                        </button>
                        <button
                            type="button"
                            class="button primary"
                            data-testid="btn-confirm"
                            disabled=move || !can_confirm.get()
                            on:click=move |_| live.touch(Touch::Confirm)
                        >
                            {words.say(w::CONFIRM)}
                        </button>
                    }
                        .into_any()
                }
                Row::Pass => {
                    view! {
                        <button
                            type="button"
                            class="button primary"
                            data-testid="btn-pass"
                            disabled=move || !live.may_sign.get()
                            on:click=move |_| live.touch(Touch::Pass)
                        >
                            {words.say(w::PASS)}
                        </button>
                    }
                        .into_any()
                }
                Row::Over => {
                    view! {
                        <button
                            type="button"
                            class="button"
                            data-testid="result-show"
                            on:click=move |_| over.set(Over::Nothing)
                        >
                            {words.say(w::RESULT_SHOW)}
                        </button>
                        <NextButton />
                    }
                        .into_any()
                }
                Row::Nothing => ().into_any(),
            }}
        </div>
    }
}

/// What the line says, and to what it is the answer.
#[derive(Clone, PartialEq)]
struct Said {
    text: String,
    /// The number of the latest event.
    serial: Option<u32>,
    draft: Option<Draft>,
    /// The refusal that is no news any more.
    answered: Option<u32>,
}

/// The one line that says what happens; always there, so that it is always heard.
#[component]
fn StatusLine(
    /// The side whose home is near.
    bottom: Memo<Color>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let said = Memo::new(move |before: Option<&Said>| {
        let lang = words.lang();
        let viewer = live.viewer.get();
        let names = live.names.get();
        let sides = Color::ALL.map(|color| shown_name(lang, &names, color));
        let notice = live.notice.get();
        let draft = live.draft.get();
        let serial = notice.as_ref().map(|(serial, _)| *serial);
        // A refusal is answered by whatever the player does next.
        let answered = before
            .and_then(|before| {
                let acted = before.serial == serial && before.draft != draft;
                if acted { serial } else { before.answered }
            })
            .filter(|&answered| Some(answered) == serial);
        let notice = notice
            .as_ref()
            .map(|(_, notice)| notice)
            .filter(|it| answered.is_none() || !matches!(it, Notice::Refused(_)));
        let text = live.table.with(|table| {
            let Some(table) = table.as_ref() else { return String::new() };
            let scenery = Scenery {
                table: table.as_ref() as &Table,
                draft: draft.as_ref(),
                viewer,
                notice,
                bottom: bottom.get(),
                may_sign: live.may_sign.get(),
                side: [&sides[0], &sides[1]],
            };
            let rolling = Phase::of(table, draft.as_ref(), viewer) == Phase::Rolling;
            match before {
                // The dice roll for a moment only: nothing worth a word of its own.
                Some(before) if rolling => before.text.clone(),
                _ => status_text(lang, &scenery),
            }
        });
        Said { text, serial, draft, answered }
    });
    let text = Memo::new(move |_| said.with(|it| it.text.clone()));
    view! {
        <p class="status" data-testid="status" role="status" aria-live="polite" aria-atomic="true">
            {move || text.get()}
        </p>
    }
}

/// Two ways of one combined move that end differently.
#[component]
fn Choices() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    move || {
        let routes = live.choices.get();
        (!routes.is_empty()).then(|| {
            let position = live.draft.with_untracked(|it| it.as_ref().map(Draft::position));
            view! {
                <div class="choices" role="group" aria-label=words.say(w::CHOOSE_WAY)>
                    <p>{words.say(w::CHOOSE_WAY)}</p>
                    {routes
                        .into_iter()
                        .map(|route| {
                            let text = position
                                .as_ref()
                                .zip(rules::Play::new(&route))
                                .map(|(position, play)| write_play(position, &play));
                            view! {
                                <button
                                    type="button"
                                    class="button"
                                    data-testid="choice-item"
                                    on:click=move |_| live.touch(Touch::Choose(route.clone()))
                                >
                                    {text}
                                </button>
                            }
                        })
                        .collect_view()}
                    <button
                        type="button"
                        class="button quiet"
                        data-testid="choice-cancel"
                        on:click=move |_| live.touch(Touch::PutBack)
                    >
                        {words.say(w::CANCEL)}
                    </button>
                </div>
            }
        })
    }
}

/// What the players must know beside the game: a fault, a lost connection, a refused storage.
#[component]
fn Banners() -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let put_aside = RwSignal::new(false);
    view! {
        <div class="banners">
            <div data-testid="alert" role="alert" class="alert-text">
                {move || {
                    live.fault
                        .get()
                        .map(|fault| {
                            view! {
                                <div class="banner">
                                    <p>{words.fill(w::FAULT_SHOWN, &[("fault", &fault)])}</p>
                                </div>
                            }
                        })
                }}
            </div>
            <Trouble />
            {move || {
                (!live.lasting.get() && !put_aside.get())
                    .then(|| {
                        view! {
                            <div class="banner" data-testid="not-lasting" role="status">
                                <p>{words.say(w::NOT_LASTING)}</p>
                                <button
                                    type="button"
                                    class="icon-button"
                                    aria-label=words.say(w::CLOSE)
                                    on:click=move |_| put_aside.set(true)
                                >
                                    {icons::cross()}
                                </button>
                            </div>
                        }
                    })
            }}
        </div>
    }
}

/// Whether a key belongs to what has the focus.
fn focus_takes(event: &web_sys::KeyboardEvent) -> (bool, bool) {
    let target = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    let name = target.map(|it| it.tag_name().to_ascii_uppercase()).unwrap_or_default();
    let is_text = matches!(name.as_str(), "INPUT" | "TEXTAREA" | "SELECT");
    let is_control = is_text || matches!(name.as_str(), "BUTTON" | "A" | "SUMMARY");
    (is_text, is_control)
}

/// The keys of the table. Letters go by their place on the keyboard, so that they work in every
/// alphabet.
fn listen_for_keys(live: LiveTable, prefs: Prefs, shell: Shell, over: RwSignal<Over>) {
    let listener = window_event_listener(ev::keydown, move |event| {
        let (is_text, is_control) = focus_takes(&event);
        if event.key() == "Escape" {
            if matches!(over.get_untracked(), Over::Verify | Over::Menu) {
                over.set(Over::Nothing);
            } else {
                live.touch(Touch::PutBack);
            }
            return;
        }
        let board_is_seen = matches!(over.get_untracked(), Over::Nothing | Over::Board(_));
        if is_text || !board_is_seen || event.ctrl_key() || event.alt_key() || event.meta_key() {
            return;
        }
        let inside_a_spot = event
            .target()
            .and_then(|it| it.dyn_into::<web_sys::Element>().ok())
            .is_some_and(|it| it.has_attribute("tabindex") && it.get_attribute("role").is_some());
        if event.key() == " " && !is_control && !inside_a_spot {
            event.prevent_default();
            live.touch(Touch::Dice);
            return;
        }
        if !prefs.letter_keys.get_untracked() {
            return;
        }
        let touch = match (event.code().as_str(), event.key().as_str()) {
            (_, "?") => {
                shell.go(Route::Help);
                return;
            }
            ("KeyR", _) => Touch::Roll,
            ("KeyU" | "Backspace", _) => Touch::Undo,
            ("KeyC", _) => Touch::Confirm,
            ("KeyX", _) => Touch::Swap,
            _ => return,
        };
        event.prevent_default();
        live.touch(touch);
    });
    on_cleanup(move || listener.remove());
}
