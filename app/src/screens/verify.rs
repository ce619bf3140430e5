//! "Check the dice": every roll with its promises and reveals, checked here and now.

use fair_dice::Value;
use leptos::html;
use leptos::prelude::*;
use rules::{ByColor, Color};
use table::{Report, Roll, Transcript, Verdict, verify};
use wasm_bindgen_futures::spawn_local;

use super::app::Over;
use super::icons;
use super::parts::{PageHead, chosen_text, save_file};
use crate::board::side_word;
use crate::live_table::LiveTable;
use crate::words::{Word, Words, w};

/// A roll as the panel shows it.
#[derive(Clone)]
struct CheckedRoll {
    roll: Roll,
    /// What each side had promised: the link of its chain before the one revealed.
    promised: ByColor<Value>,
}

/// What was checked.
#[derive(Clone)]
struct Checked {
    verdict: Verdict,
    rolls: Vec<CheckedRoll>,
    doubles: usize,
}

impl Checked {
    fn new(report: &Report) -> Checked {
        let mut rolls = Vec::new();
        if let Some(log) = &report.log {
            let mut promised = ByColor::from_fn(|color| *log.header().anchor(color));
            for &roll in log.rolls() {
                rolls.push(CheckedRoll { roll, promised });
                promised = roll.reveals;
            }
        }
        let doubles = rolls.iter().filter(|it| it.roll.dice.is_double()).count();
        Checked { verdict: report.verdict, rolls, doubles }
    }

    /// The value of `data-result`.
    fn result(&self) -> &'static str {
        match self.verdict {
            Verdict::Invalid(_) => "fail",
            _ if self.rolls.is_empty() => "pending",
            Verdict::Unproven => "unproven",
            Verdict::Agreed | Verdict::Claimed | Verdict::Incomplete => "ok",
        }
    }

    fn title(&self) -> Word {
        match self.result() {
            "fail" => w::VERIFY_FAIL,
            "pending" => w::VERIFY_PENDING,
            "unproven" => w::VERIFY_UNPROVEN,
            _ => w::VERIFY_OK,
        }
    }

    fn explanation(&self, words: Words) -> String {
        let count = self.rolls.len();
        match self.verdict {
            Verdict::Invalid(fault) => words.fill(w::VERIFY_FAIL_MORE, &[("reason", &fault)]),
            _ if self.rolls.is_empty() => String::new(),
            Verdict::Unproven => words.fill(w::VERIFY_UNPROVEN_MORE, &[("count", &count)]),
            Verdict::Agreed | Verdict::Claimed | Verdict::Incomplete => {
                words.fill(w::VERIFY_OK_MORE, &[("count", &count)])
            }
        }
    }

    const fn verdict_word(&self) -> Word {
        match self.verdict {
            Verdict::Agreed => w::VERDICT_AGREED,
            Verdict::Claimed => w::VERDICT_CLAIMED,
            Verdict::Incomplete => w::VERDICT_INCOMPLETE,
            Verdict::Unproven => w::VERDICT_UNPROVEN,
            Verdict::Invalid(_) => w::VERDICT_INVALID,
        }
    }
}

fn hex(value: &Value) -> String {
    value.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What stands in the panel: a check, or a file that is none.
#[derive(Clone)]
enum Content {
    Checked(Checked),
    Unreadable(String),
}

/// Reads a transcript and checks it.
fn check_file(text: &str) -> Content {
    match Transcript::from_json(text) {
        Ok(transcript) => Content::Checked(Checked::new(&verify(&transcript))),
        Err(why) => Content::Unreadable(why.to_string()),
    }
}

/// The panel with everything that was checked.
#[component]
fn Panel(
    /// What was checked.
    #[prop(into)]
    content: Signal<Option<Content>>,
) -> impl IntoView {
    let words = Words::here();
    let roll_view = move |it: &CheckedRoll| {
        let CheckedRoll { roll, promised } = it.clone();
        let (first, second) = (roll.dice.first.pips(), roll.dice.second.pips());
        let whose =
            if roll.opening_ties.is_some() { w::VERIFY_OPENING } else { side_word(roll.color) };
        let value = move |word: Word, value: &Value| {
            view! {
                <dt>{words.say(word)}</dt>
                <dd>{hex(value)}</dd>
            }
        };
        view! {
            <li>
                <details
                    data-testid="verify-item"
                    data-seq=roll.seq
                    data-roll=format!("{first},{second}")
                    data-ok="true"
                >
                    <summary>
                        <span class="number numbers">{roll.index}</span>
                        <span class="small-die">{first}</span>
                        <span class="small-die">{second}</span>
                        <span class="soft">{words.say(whose)}</span>
                        <span class="mark good">"✓ " {words.say(w::VERIFY_ROLL_OK)}</span>
                    </summary>
                    <dl>
                        {value(w::VERIFY_WHITE_PROMISE, &promised[Color::White])}
                        {value(w::VERIFY_WHITE_VALUE, &roll.reveals[Color::White])}
                        {value(w::VERIFY_BLACK_PROMISE, &promised[Color::Black])}
                        {value(w::VERIFY_BLACK_VALUE, &roll.reveals[Color::Black])}
                        {value(w::VERIFY_SEED, &roll.seed)}
                    </dl>
                </details>
            </li>
        }
    };
    view! {
        <div class="stack" data-testid="verify-panel" role="region" aria-label=words.say(w::VERIFY_DICE)>
            {move || match content.get() {
                None => ().into_any(),
                Some(Content::Unreadable(reason)) => {
                    view! {
                        <div class="verdict" data-testid="verify-result" data-result="fail" role="status">
                            <span class="bad">{icons::caution()}</span>
                            <p>{move || words.fill(w::VERIFY_UNREADABLE, &[("reason", &reason)])}</p>
                        </div>
                    }
                        .into_any()
                }
                Some(Content::Checked(it)) => {
                    let result = it.result();
                    let title = it.title();
                    let verdict = it.verdict_word();
                    let (count, doubles) = (it.rolls.len(), it.doubles);
                    let rolls = it.rolls.iter().rev().map(roll_view).collect_view();
                    view! {
                        <div
                            class="verdict"
                            data-testid="verify-result"
                            data-result=result
                            role="status"
                        >
                            <span class:good=result != "fail" class:bad=result == "fail">
                                {if result == "fail" {
                                    icons::caution().into_any()
                                } else {
                                    icons::tick().into_any()
                                }}
                            </span>
                            <div>
                                <strong>{words.say(title)}</strong>
                                <p>{move || it.explanation(words)}</p>
                                <p class="soft">{words.say(verdict)}</p>
                            </div>
                        </div>
                        <section class="stack">
                            <h3>{words.say(w::VERIFY_ROLLS)}</h3>
                            <p class="soft">
                                {move || {
                                    words
                                        .fill(
                                            w::VERIFY_STATISTICS,
                                            &[("count", &count), ("doubles", &doubles)],
                                        )
                                }}
                            </p>
                            <ol class="rolls">{rolls}</ol>
                        </section>
                    }
                        .into_any()
                }
            }}
            <section class="prose" data-testid="verify-explain">
                <h3>{words.say(w::VERIFY_EXPLAIN_TITLE)}</h3>
                <p>{words.say(w::VERIFY_EXPLAIN_1)}</p>
                <p>{words.say(w::VERIFY_EXPLAIN_2)}</p>
                <p>{words.say(w::VERIFY_EXPLAIN_3)}</p>
                <p>{words.say(w::VERIFY_EXPLAIN_4)}</p>
            </section>
        </div>
    }
}

/// The way to check a file.
#[component]
fn Import(
    /// Where the outcome goes.
    content: RwSignal<Option<Content>>,
) -> impl IntoView {
    let words = Words::here();
    let input = NodeRef::<html::Input>::new();
    let chosen = move |_| {
        if let Some(input) = input.get_untracked() {
            spawn_local(async move {
                if let Some((_, text)) = chosen_text(input).await {
                    content.set(Some(check_file(&text)));
                }
            });
        }
    };
    view! {
        <label class="button file-button">
            <input
                class="unseen"
                type="file"
                accept=".json,application/json"
                data-testid="transcript-import"
                node_ref=input
                on:change=chosen
            />
            <span>{words.say(w::TRANSCRIPT_IMPORT)}</span>
        </label>
    }
}

/// Saves the transcript of the open game as a file.
pub fn export(live: LiveTable) {
    if let Some(text) = live.export() {
        let name = live.game.get_untracked().map(|id| id.to_string()).unwrap_or_default();
        let _ = save_file(&format!("zari-{name}.json"), &text);
    }
}

/// The check of the open game, over its board.
#[component]
pub fn VerifyDialog(
    /// What lies over the board.
    over: RwSignal<Over>,
) -> impl IntoView {
    let live = expect_context::<LiveTable>();
    let words = Words::here();
    let imported = RwSignal::new(None::<Content>);
    // As long as the panel is open it follows the game.
    let own = Memo::new_with_compare(
        move |_| {
            live.len.track();
            live.report().map(|report| Content::Checked(Checked::new(&report)))
        },
        |_, _| true,
    );
    let content = Signal::derive(move || imported.get().or_else(|| own.get()));
    let dialog = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(dialog) = dialog.get() {
            let _ = dialog.focus();
        }
    });
    view! {
        <div class="veil">
            <div
                class="dialog broad"
                role="dialog"
                aria-modal="true"
                aria-labelledby="verify-title"
                tabindex="-1"
                node_ref=dialog
            >
                <div class="dialog-head">
                    <h2 id="verify-title">{words.say(w::VERIFY_DICE)}</h2>
                    <button
                        type="button"
                        class="icon-button"
                        data-testid="verify-close"
                        aria-label=words.say(w::CLOSE)
                        on:click=move |_| over.set(Over::Nothing)
                    >
                        {icons::cross()}
                    </button>
                </div>
                <div class="row">
                    <button
                        type="button"
                        class="button"
                        data-testid="transcript-export"
                        on:click=move |_| export(live)
                    >
                        {words.say(w::TRANSCRIPT_EXPORT)}
                    </button>
                    <Import content=imported />
                </div>
                <Panel content />
            </div>
        </div>
    }
}

/// A transcript from a file, without any game.
#[component]
pub fn VerifyScreen() -> impl IntoView {
    let words = Words::here();
    let content = RwSignal::new(None::<Content>);
    view! {
        <main class="page">
            <PageHead />
            <h1>{words.say(w::VERIFY_DICE)}</h1>
            <p class="soft">{words.say(w::VERIFY_SCREEN_HINT)}</p>
            <Import content />
            <Panel content />
        </main>
    }
}
