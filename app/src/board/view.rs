//! The elements of the board: a picture, thirty lasting checkers, rings, dice, and a button on
//! every place.

use std::time::Duration;

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use rules::Color;
use table::Reach;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

use super::art::board_art;
use super::geometry::{Arrow, Geometry, HomeSide, MOST_WITHOUT_COUNT, Rect, Turn, spots};
use super::model::{DiceShown, Face, Model};
use super::pointer::{Device, LONG_PRESS_MS, Press};
use super::scene::Scene;
use super::speech::{dice_name, point_name};
use crate::live_table::{LiveTable, Spot, Touch};
use crate::prefs::{Prefs, Side, Speed};
use crate::seats::Phase;
use crate::words::{Word, Words, w};

/// How long a checker travels for one die, in milliseconds.
const fn travel_ms(speed: Speed) -> u32 {
    match speed {
        Speed::Slow => 360,
        Speed::Normal => 180,
        Speed::Fast => 90,
    }
}

/// What a press on the dice does now.
fn dice_does(model: &Model) -> Option<Word> {
    match model.phase {
        Phase::Opening | Phase::ToRoll => Some(w::DICE_ROLL),
        Phase::ToConfirm => Some(w::DICE_CONFIRM),
        Phase::Moving => {
            let dice = model.dice.as_ref()?;
            let [larger, smaller] = dice.values;
            (larger != smaller && dice.left.len() == 2).then_some(w::DICE_SWAP)
        }
        _ => None,
    }
}

fn pixels(value: f64) -> String {
    format!("{:.2}px", value)
}

/// `point-13`, `bar-white`, `off-black`.
fn test_id(spot: Spot) -> String {
    let name = |color: Color| match color {
        Color::White => "white",
        Color::Black => "black",
    };
    match spot {
        Spot::Point(number) => format!("point-{number}"),
        Spot::Bar(color) => format!("bar-{}", name(color)),
        Spot::Off(color) => format!("off-{}", name(color)),
    }
}

/// Everything the parts of the board share; all of it is `Copy`.
#[derive(Clone, Copy)]
struct Parts {
    live: LiveTable,
    prefs: Prefs,
    words: Words,
    model: Signal<Model>,
    geometry: Memo<Geometry>,
    scene: Memo<Scene>,
    press: RwSignal<Option<Press<Spot>>>,
    /// How many presses there were, so that a timer knows its own.
    presses: StoredValue<u32>,
    /// The click that follows the end of a drag means nothing.
    swallow_click: StoredValue<bool>,
    /// The spot that Tab reaches.
    focus: RwSignal<Spot>,
    root: NodeRef<html::Div>,
}

/// The board of the open table. `bottom` is the side whose home is near.
#[component]
pub fn Board(
    /// What it shows.
    model: Signal<Model>,
    /// The side whose home is near.
    bottom: Signal<Color>,
) -> impl IntoView {
    let prefs = expect_context::<Prefs>();
    let live = expect_context::<LiveTable>();
    let stage = NodeRef::<html::Div>::new();
    let room = RwSignal::new(None::<(f64, f64)>);
    Effect::new(move |_| {
        if let Some(stage) = stage.get() {
            let measure = move |element: &web_sys::Element| {
                let at = element.get_bounding_client_rect();
                if at.width() > 0.0 && at.height() > 0.0 {
                    // The same size again must not redraw the board.
                    room.maybe_update(|room| {
                        let now = Some((at.width(), at.height()));
                        let changed = *room != now;
                        *room = now;
                        changed
                    });
                }
            };
            measure(&stage);
            let element: web_sys::Element = stage.into();
            let watched = element.clone();
            let changed = Closure::<dyn FnMut()>::new(move || measure(&watched));
            if let Ok(observer) = web_sys::ResizeObserver::new(changed.as_ref().unchecked_ref()) {
                observer.observe(&element);
                let kept = StoredValue::new_local((observer, changed));
                on_cleanup(move || {
                    kept.try_with_value(|(observer, _)| observer.disconnect());
                });
            }
        }
    });
    let fitted = Memo::new(move |_| {
        let (width, height) = room.get()?;
        let home = match prefs.side.get() {
            Side::Right => HomeSide::Right,
            Side::Left => HomeSide::Left,
        };
        let turn = if height > width * 1.12 { Turn::Turned } else { Turn::Wide };
        Some(Geometry::fit(turn, home, bottom.get(), width, height))
    });
    // Parts exist only while there is a geometry; they keep the last one.
    let is_fitted = Memo::new(move |_| fitted.with(Option::is_some));
    let geometry = Memo::new(move |before: Option<&Geometry>| {
        fitted.get().or(before.copied()).unwrap_or_else(|| {
            Geometry::fit(Turn::Wide, HomeSide::Right, bottom.get(), 900.0, 640.0)
        })
    });
    let scene = Memo::new(move |before: Option<&Scene>| model.with(|it| it.scene(before)));
    let parts = Parts {
        live,
        prefs,
        words: Words::here(),
        model,
        geometry,
        scene,
        press: RwSignal::new(None),
        presses: StoredValue::new(0),
        swallow_click: StoredValue::new(false),
        focus: RwSignal::new(Spot::Point(24)),
        root: NodeRef::new(),
    };
    view! {
        <div class="stage" node_ref=stage>
            {move || is_fitted.get().then(|| parts.board())}
        </div>
    }
}

impl Parts {
    fn board(self) -> impl IntoView {
        let Parts { live, prefs, words, model, geometry, press, root, .. } = self;
        let phase = Memo::new(move |_| model.with(|it| it.phase));
        let does = Memo::new(move |_| model.with(dice_does));
        self.listen_for_the_end_of_a_drag();
        // Checkers travel when the position changes, not when the board does.
        Effect::new(move |before: Option<()>| {
            geometry.track();
            if before.is_some()
                && let Some(root) = root.get_untracked()
            {
                let _ = root.class_list().add_1("resized");
                let still = move || {
                    let _ = root.class_list().remove_1("resized");
                };
                set_timeout(still, Duration::from_millis(60));
            }
        });
        view! {
            <div
                class="board"
                class:still=move || prefs.is_still()
                class:dragging=move || press.with(|it| it.is_some_and(|it| it.dragged_to.is_some()))
                data-testid="board"
                role="group"
                aria-label=move || words.get(w::BOARD)
                data-phase=move || phase.get().name()
                data-turn=move || model.with(|it| color_name(it.turn))
                data-you=move || model.with(|it| it.viewer.name())
                data-position=move || model.with(|it| it.position.clone())
                data-seq=move || live.len.get()
                node_ref=root
                style:width=move || pixels(geometry.with(|it| it.size().0 * it.unit))
                style:height=move || pixels(geometry.with(|it| it.size().1 * it.unit))
                style:--u=move || pixels(geometry.with(|it| it.unit))
                style:--travel=move || format!("{}ms", travel_ms(prefs.speed.get()))
                on:pointerdown=move |event| self.pointer_down(&event)
                on:pointermove=move |event| self.pointer_moves(&event)
                on:pointerup=move |event| self.pointer_up(&event)
                on:pointercancel=move |_| self.end_drag()
                on:contextmenu=move |event| self.context_menu(&event)
                on:keydown=move |event| self.arrow_key(&event)
            >
                {move || board_art(geometry.get())}
                {self.trail()}
                {(0..30).map(|index| self.checker(index)).collect_view()}
                {self.counts()}
                {self.rings()}
                {self.dice(does)}
                {spots().map(|spot| self.place(spot)).collect_view()}
                <button
                    type="button"
                    class="dice-button"
                    data-testid="dice"
                    data-values=move || {
                        model
                            .with(|it| {
                                it.dice.as_ref().map(|it| format!("{},{}", it.values[0], it.values[1]))
                            })
                    }
                    data-left=move || {
                        model
                            .with(|it| {
                                it.dice
                                    .as_ref()
                                    .map(|it| {
                                        it.left
                                            .iter()
                                            .map(u8::to_string)
                                            .collect::<Vec<_>>()
                                            .join(",")
                                    })
                            })
                    }
                    disabled=move || does.get().is_none()
                    aria-label=move || {
                        model.with(|it| dice_name(words.lang(), it.dice.as_ref(), does.get()))
                    }
                    style:translate=move || self.at(self.dice_area())
                    style:width=move || pixels(self.dice_area().width * geometry.get().unit)
                    style:height=move || pixels(self.dice_area().height * geometry.get().unit)
                    on:click=move |_| live.touch(Touch::Dice)
                ></button>
            </div>
        }
    }

    /// Where the dice lie or will lie.
    fn dice_area(self) -> Rect {
        let roller = self.model.with(|it| it.dice.as_ref().map_or(it.turn, |dice| dice.roller));
        self.geometry.get().dice_area(roller)
    }

    fn at(self, place: Rect) -> String {
        let unit = self.geometry.get().unit;
        format!("{} {}", pixels(place.x * unit), pixels(place.y * unit))
    }

    /// One of the thirty lasting checkers.
    fn checker(self, index: usize) -> impl IntoView {
        let Parts { geometry, scene, press, .. } = self;
        let color = if index < 15 { Color::White } else { Color::Black };
        let it = Memo::new(move |_| scene.with(|scene| scene.checkers()[index]));
        let place = Memo::new(move |_| {
            let it = it.get();
            let count = scene.with(|scene| {
                scene.checkers().iter().filter(|other| other.spot == it.spot).count()
            });
            let count = u8::try_from(count).unwrap_or(15);
            geometry.get().checker(it.spot, it.level, count)
        });
        let is_top =
            Memo::new(move |_| scene.with(|scene| scene.top(it.get().spot) == Some(index)));
        // The dragged checker hangs under the pointer.
        let dragged = Memo::new(move |_| {
            let press = press.get()?;
            let at = press.dragged_to?;
            (press.from == it.get().spot && is_top.get()).then_some(at)
        });
        let picked = Memo::new(move |_| {
            is_top.get() && self.model.with(|model| model.picked == Some(it.get().spot))
        });
        view! {
            <div
                class="checker"
                class:white=color == Color::White
                class:black=color == Color::Black
                class:off=move || matches!(it.get().spot, Spot::Off(_))
                class:picked=move || picked.get()
                class:held=move || dragged.get().is_some()
                style:translate=move || match dragged.get() {
                    Some((x, y)) => {
                        let half = place.get().width * geometry.get().unit / 2.0;
                        format!("{} {}", pixels(x - half), pixels(y - half))
                    }
                    None => self.at(place.get()),
                }
                style:width=move || pixels(place.get().width * geometry.get().unit)
                style:height=move || pixels(place.get().height * geometry.get().unit)
                style:z-index=move || {
                    let it = it.get();
                    let above = if it.moved { 20 } else { 0 };
                    (2 + it.level + above).to_string()
                }
                style:--wait=move || it.get().start.to_string()
            ></div>
        }
    }

    /// The numbers on stacks of more than five.
    fn counts(self) -> impl IntoView {
        spots()
            .map(|spot| {
                let count = Memo::new(move |_| {
                    self.model.with(|it| it.layout.owner(spot)).and_then(|(color, count)| {
                        let most = match spot {
                            Spot::Point(_) => MOST_WITHOUT_COUNT,
                            Spot::Bar(_) => 2,
                            Spot::Off(_) => 0,
                        };
                        (count > most).then_some((color, count))
                    })
                });
                let place = move || {
                    let geometry = self.geometry.get();
                    let count = count.get().map_or(1, |(_, count)| count);
                    match spot {
                        Spot::Off(color) => geometry.tray(color),
                        _ => geometry.checker(spot, count.saturating_sub(1), count),
                    }
                };
                move || {
                    count.get().map(|(color, number)| {
                        view! {
                            <div
                                class="count"
                                class:white=color == Color::White
                                class:black=color == Color::Black
                                class:in-tray=matches!(spot, Spot::Off(_))
                                class:near=move || {
                                    self.geometry.get().bottom == color
                                }
                                aria-hidden="true"
                                style:translate=move || self.at(place())
                                style:width=move || {
                                    pixels(place().width * self.geometry.get().unit)
                                }
                                style:height=move || {
                                    pixels(place().height * self.geometry.get().unit)
                                }
                            >
                                {number}
                            </div>
                        }
                    })
                }
            })
            .collect_view()
    }

    /// Where the picked checker may land; each die has a shape of its own.
    fn rings(self) -> impl IntoView {
        move || {
            let geometry = self.geometry.get();
            self.model.with(|model| {
                model
                    .targets
                    .iter()
                    .map(|&(spot, reach)| {
                        let own = model.layout.count(spot, model.turn);
                        let (x, y) = geometry.landing(spot, own.min(MOST_WITHOUT_COUNT - 1));
                        let radius = 0.36;
                        let at = Rect {
                            x: x - radius,
                            y: y - radius,
                            width: 2.0 * radius,
                            height: 2.0 * radius,
                        };
                        let class = match reach {
                            Reach::Larger => "ring larger",
                            Reach::Smaller => "ring smaller",
                            Reach::Both => "ring both",
                        };
                        view! { <div class=class style:translate=self.at(at)></div> }
                    })
                    .collect_view()
            })
        }
    }

    /// From where to where the other side moved.
    fn trail(self) -> impl IntoView {
        move || {
            let geometry = self.geometry.get();
            self.model.with(|model| {
                let mut marks: Vec<(Spot, u8, &'static str)> = Vec::new();
                for &(from, to) in &model.trail {
                    if !model.trail.iter().any(|&(_, other)| other == from) {
                        let count = model.layout.owner(from).map_or(0, |(_, count)| count);
                        marks.push((from, count.min(MOST_WITHOUT_COUNT - 1), "trail from"));
                    }
                    let _ = to;
                }
                marks
                    .into_iter()
                    .map(|(spot, level, class)| {
                        let at = geometry.checker(spot, level, level + 1);
                        view! { <div class=class style:translate=self.at(at)></div> }
                    })
                    .collect_view()
            })
        }
    }

    /// The dice, or the invitation to throw them.
    fn dice(self, does: Memo<Option<Word>>) -> impl IntoView {
        let Parts { model, geometry, .. } = self;
        let shown = Memo::new(move |_| model.with(|it| it.dice.clone()));
        // A new roll is two new dice: they tumble in. A played die stays the same element.
        let roll =
            Memo::new(move |_| shown.with(|it| it.as_ref().map(|it| (it.roll, it.faces.len()))));
        move || match roll.get() {
            Some((_, count)) => (0..count)
                .map(|index| {
                    let face = Memo::new(move |before: Option<&Face>| {
                        let face = shown
                            .with(|it| it.as_ref().and_then(|it| it.faces.get(index)).copied());
                        face.or(before.copied()).unwrap_or(Face { pips: 1, played: false })
                    });
                    let roller = move || {
                        shown
                            .with(|it| it.as_ref().map_or(Color::White, |it: &DiceShown| it.roller))
                    };
                    let place = move || {
                        let all = geometry.get().dice(roller(), count);
                        all.get(index).copied().unwrap_or_else(|| self.dice_area())
                    };
                    view! {
                        <div
                            class="die"
                            class:white=move || roller() == Color::White
                            class:black=move || roller() == Color::Black
                            class:played=move || face.get().played
                            class:second=index % 2 == 1
                            data-pips=move || face.get().pips
                            style:translate=move || self.at(place())
                            style:width=move || pixels(place().width * geometry.get().unit)
                            style:height=move || pixels(place().height * geometry.get().unit)
                        >
                            <div class="face">{move || pips(face.get().pips)}</div>
                        </div>
                    }
                })
                .collect_view()
                .into_any(),
            None => {
                let turn = move || model.with(|it| it.turn);
                view! {
                    {(0..2)
                        .map(|index| {
                            let place = move || geometry.get().dice(turn(), 2)[index];
                            view! {
                                <div
                                    class="die due"
                                    class:ready=move || does.get() == Some(w::DICE_ROLL)
                                    style:translate=move || self.at(place())
                                    style:width=move || pixels(place().width * geometry.get().unit)
                                    style:height=move || pixels(place().height * geometry.get().unit)
                                >
                                    <div class="face">{pips(if index == 0 { 5 } else { 3 })}</div>
                                </div>
                            }
                        })
                        .collect_view()}
                }
                .into_any()
            }
        }
    }

    /// What answers to a press on a spot.
    fn place(self, spot: Spot) -> AnyView {
        let Parts { words, model, geometry, focus, live, swallow_click, .. } = self;
        let id = test_id(spot);
        let rect = Memo::new(move |_| geometry.get().touch(spot));
        let count = move || model.with(|it| it.layout.owner(spot).map_or(0, |(_, count)| count));
        let owner = move || {
            model.with(|it| it.layout.owner(spot).map_or("none", |(color, _)| color_name(color)))
        };
        let source = move || model.with(|it| it.sources.contains(&spot)).then_some("true");
        let target = move || model.with(|it| it.reach(spot).is_some()).then_some("true");
        let playable = Memo::new(move |_| model.with(|it| it.is_playable(spot)));
        let name =
            move || model.with(|it| point_name(words.lang(), it, geometry.get().bottom, spot));
        let tab = move || if playable.get() || focus.get() == spot { "0" } else { "-1" };
        let hidden = move || (!playable.get()).then_some("true");
        let press_it = move || {
            focus.set(spot);
            // The end of a drag or of a long press is no tap.
            if !swallow_click.get_value() {
                live.touch(Touch::At(spot));
            }
            swallow_click.set_value(false);
        };
        match spot {
            Spot::Point(_) => view! {
                <button
                    type="button"
                    class="place"
                    class:playable=move || playable.get()
                    data-testid=id
                    data-count=count
                    data-owner=owner
                    data-source=source
                    data-target=target
                    aria-disabled=hidden
                    aria-label=name
                    tabindex=tab
                    style:translate=move || self.at(rect.get())
                    style:width=move || pixels(rect.get().width * geometry.get().unit)
                    style:height=move || pixels(rect.get().height * geometry.get().unit)
                    on:focus=move |_| focus.set(spot)
                    on:click=move |_| press_it()
                ></button>
            }
            .into_any(),
            // A bar or a tray is a control only while it can be used; else it tells a number.
            Spot::Bar(_) | Spot::Off(_) => view! {
                <div
                    class="place"
                    class:playable=move || playable.get()
                    role=move || if playable.get() { "button" } else { "status" }
                    aria-live="off"
                    data-testid=id
                    data-count=count
                    data-owner=owner
                    data-source=source
                    data-target=target
                    aria-label=name
                    tabindex=tab
                    style:translate=move || self.at(rect.get())
                    style:width=move || pixels(rect.get().width * geometry.get().unit)
                    style:height=move || pixels(rect.get().height * geometry.get().unit)
                    on:focus=move |_| focus.set(spot)
                    on:click=move |_| press_it()
                    on:keydown=move |event: ev::KeyboardEvent| {
                        if matches!(event.key().as_str(), "Enter" | " ") {
                            event.prevent_default();
                            press_it();
                        }
                    }
                ></div>
            }
            .into_any(),
        }
    }

    /// A place of the pointer in CSS pixels from the board's corner.
    fn local(self, event: &web_sys::MouseEvent) -> Option<(f64, f64)> {
        let board = self.root.get_untracked()?.get_bounding_client_rect();
        Some((
            f64::from(event.client_x()) - board.left(),
            f64::from(event.client_y()) - board.top(),
        ))
    }

    fn spot_under(self, (x, y): (f64, f64)) -> Option<Spot> {
        let geometry = self.geometry.get_untracked();
        geometry.spot_at((x / geometry.unit, y / geometry.unit))
    }

    fn pointer_down(self, event: &web_sys::PointerEvent) {
        if event.button() != 0 || !event.is_primary() {
            return;
        }
        self.press.set(None);
        self.swallow_click.set_value(false);
        let on_the_dice = event
            .target()
            .and_then(|it| it.dyn_into::<web_sys::Element>().ok())
            .is_some_and(|it| it.class_list().contains("dice-button"));
        let Some(at) = self.local(event) else { return };
        let Some(spot) = self.spot_under(at).filter(|_| !on_the_dice) else { return };
        let device = Device::named(&event.pointer_type());
        self.press.set(Some(Press::new(event.pointer_id(), spot, device, at)));
        if device == Device::Touch {
            let number = self.presses.get_value() + 1;
            self.presses.set_value(number);
            let rested = move || {
                let rests =
                    self.press.with_untracked(|it| it.is_some_and(|it| it.dragged_to.is_none()));
                if rests && self.presses.get_value() == number {
                    self.press.set(None);
                    self.swallow_click.set_value(true);
                    self.live.touch(Touch::Other(spot));
                }
            };
            set_timeout(rested, Duration::from_millis(u64::from(LONG_PRESS_MS)));
        }
    }

    fn pointer_moves(self, event: &web_sys::PointerEvent) {
        let Some(mut press) = self.press.get_untracked() else { return };
        if press.pointer != event.pointer_id() {
            return;
        }
        let Some(at) = self.local(event) else { return };
        let begins = press.moves(at);
        if begins && !self.lifts(press.from) {
            // There is nothing to drag: the press stays a tap that went astray.
            self.press.set(None);
            return;
        }
        if press.dragged_to.is_some() {
            self.press.set(Some(press));
        }
        if begins && let Some(root) = self.root.get_untracked() {
            // Without it a pointer that leaves the board would be lost.
            let _ = root.set_pointer_capture(press.pointer);
        }
    }

    /// A checker of the side that plays here is lifted, so that its targets light up. Answers
    /// whether there is one.
    fn lifts(self, from: Spot) -> bool {
        let (mine, picked, source) = self.model.with_untracked(|it| {
            let moving = matches!(it.phase, Phase::Moving | Phase::ToConfirm);
            let mine = moving && it.layout.count(from, it.turn) > 0;
            (mine, it.picked, it.sources.contains(&from))
        });
        if source && picked != Some(from) {
            self.live.touch(Touch::PutBack);
            self.live.touch(Touch::At(from));
        }
        mine
    }

    fn pointer_up(self, event: &web_sys::PointerEvent) {
        let Some(press) = self.press.get_untracked() else { return };
        if press.pointer != event.pointer_id() {
            return;
        }
        self.press.set(None);
        if press.dragged_to.is_none() {
            return;
        }
        self.swallow_click.set_value(true);
        match self.local(event).and_then(|at| self.spot_under(at)) {
            Some(to) if to != press.from => self.live.touch(Touch::Drag(press.from, to)),
            _ => self.live.touch(Touch::PutBack),
        }
    }

    /// The drag ends where it began.
    fn end_drag(self) {
        if self.press.with_untracked(|it| it.is_some_and(|it| it.dragged_to.is_some())) {
            self.swallow_click.set_value(true);
            self.live.touch(Touch::PutBack);
        }
        self.press.set(None);
    }

    fn context_menu(self, event: &web_sys::MouseEvent) {
        event.prevent_default();
        // A resting finger has its own clock: not every browser tells of it here.
        let by_mouse = event
            .dyn_ref::<web_sys::PointerEvent>()
            .is_none_or(|it| Device::named(&it.pointer_type()) == Device::Mouse);
        if by_mouse
            && self.press.with_untracked(Option::is_none)
            && let Some(spot) = self.local(event).and_then(|at| self.spot_under(at))
        {
            self.live.touch(Touch::Other(spot));
        }
    }

    fn arrow_key(self, event: &web_sys::KeyboardEvent) {
        let arrow = match event.key().as_str() {
            "ArrowLeft" => Arrow::Left,
            "ArrowRight" => Arrow::Right,
            "ArrowUp" => Arrow::Up,
            "ArrowDown" => Arrow::Down,
            _ => return,
        };
        event.prevent_default();
        let geometry = self.geometry.get_untracked();
        if let Some(next) = geometry.neighbour(self.focus.get_untracked(), arrow) {
            self.focus.set(next);
            let selector = format!("[data-testid='{}']", test_id(next));
            let element = self
                .root
                .get_untracked()
                .and_then(|root| root.query_selector(&selector).ok().flatten())
                .and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
            if let Some(element) = element {
                let _ = element.focus();
            }
        }
    }

    /// Escape and a page that loses the focus end a drag.
    fn listen_for_the_end_of_a_drag(self) {
        let escape = window_event_listener(ev::keydown, move |event| {
            if event.key() == "Escape" {
                self.end_drag();
            }
        });
        let blur = window_event_listener(ev::blur, move |_| self.end_drag());
        on_cleanup(move || {
            escape.remove();
            blur.remove();
        });
    }
}

/// The value of `data-turn` and its like.
const fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The pips of a die on a grid of three by three.
fn pips(value: u8) -> impl IntoView {
    let places: &[(u8, u8)] = match value {
        1 => &[(2, 2)],
        2 => &[(1, 1), (3, 3)],
        3 => &[(1, 1), (2, 2), (3, 3)],
        4 => &[(1, 1), (1, 3), (3, 1), (3, 3)],
        5 => &[(1, 1), (1, 3), (2, 2), (3, 1), (3, 3)],
        _ => &[(1, 1), (1, 3), (2, 1), (2, 3), (3, 1), (3, 3)],
    };
    places
        .iter()
        .map(|&(row, column)| view! { <i class=format!("pip r{row} c{column}")></i> })
        .collect_view()
}
