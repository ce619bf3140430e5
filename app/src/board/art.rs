//! The board itself, without anything that lies on it: frame, field, points, bar, trays. It is
//! drawn once for a geometry; colours come from the styles.

use leptos::prelude::*;

use super::geometry::{Geometry, Rect, Turn};

/// Units of the drawing in one unit of the board: keeps the numbers short.
const SCALE: f64 = 100.0;

fn scaled(value: f64) -> String {
    let tenths = (value * SCALE * 10.0).round() / 10.0;
    tenths.to_string()
}

fn path(corners: [(f64, f64); 3], end: &str) -> String {
    let [a, b, tip] = corners.map(|(x, y)| format!("{} {}", scaled(x), scaled(y)));
    format!("M{a}L{tip}L{b}{end}")
}

fn rectangle(class: &'static str, at: Rect, radius: f64) -> impl IntoView + use<> {
    let fill = match class {
        "frame" => Some("url(#wood)"),
        "field" => Some("url(#maple)"),
        _ => None,
    };
    view! {
        <rect
            class=class
            fill=fill
            x=scaled(at.x)
            y=scaled(at.y)
            width=scaled(at.width)
            height=scaled(at.height)
            rx=scaled(radius)
        />
    }
}

fn grown(at: Rect, by: f64) -> Rect {
    Rect { x: at.x - by, y: at.y - by, width: at.width + 2.0 * by, height: at.height + 2.0 * by }
}

/// The vine of the bar: a wave with a leaf in every bend, drawn for a bar that runs downwards.
fn vine(length: f64) -> (String, String, String) {
    let bends = ((length / 0.52).round() as usize).max(2);
    let step = length / bends as f64;
    let mut stem = String::from("M0 0");
    let mut leaves = String::new();
    let mut berries = String::new();
    for bend in 0..bends {
        let side = if bend % 2 == 0 { 1.0 } else { -1.0 };
        let (from, to) = (bend as f64 * step, (bend + 1) as f64 * step);
        let point = |x: f64, y: f64| format!("{} {}", scaled(x), scaled(y));
        stem.push_str(&format!(
            "C{} {} {}",
            point(0.2 * side, from + step * 0.3),
            point(0.2 * side, from + step * 0.7),
            point(0.0, to)
        ));
        // The leaf hangs in the bend's hollow, an almond with a rib.
        let middle = from + step / 2.0;
        let (root, tip) = (point(0.03 * side, middle + 0.13), point(-0.3 * side, middle - 0.12));
        leaves.push_str(&format!(
            "M{root}C{} {} {tip}C{} {} {root}Z",
            point(-0.06 * side, middle + 0.18),
            point(-0.28 * side, middle + 0.1),
            point(-0.16 * side, middle - 0.16),
            point(0.02 * side, middle - 0.06),
        ));
        let (x, y) = (0.29 * side, middle);
        let r = 0.035;
        berries.push_str(&format!(
            "M{}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z",
            point(x - r, y),
            r = scaled(r),
            d = scaled(2.0 * r),
        ));
    }
    (stem, leaves, berries)
}

/// The board as a picture; what lies on it and what can be pressed are other elements.
pub fn board_art(it: Geometry) -> impl IntoView + use<> {
    let (width, height) = it.size();
    let whole = Rect { x: 0.0, y: 0.0, width, height };
    let points = (1..=24)
        .map(|absolute| {
            let number = it.number(absolute);
            // Neighbours differ, and so do two points that face each other.
            let class = if number % 2 == 1 { "point odd" } else { "point even" };
            view! {
                <path class=class d=path(it.triangle(absolute), "Z") />
                <path class="inlay" d=path(it.inlay(absolute), "") />
            }
        })
        .collect_view();
    let numbers = it.shows_numbers().then(|| {
        (1..=24)
            .map(|absolute| {
                let (x, y) = it.label(absolute);
                view! {
                    <text class="number" x=scaled(x) y=scaled(y)>
                        {it.number(absolute)}
                    </text>
                }
            })
            .collect_view()
    });
    let strip = it.bar_strip();
    let (length, place) = match it.turn {
        Turn::Wide => {
            let (x, _) = strip.center();
            let top = strip.y + 0.06;
            (strip.height - 0.12, format!("translate({} {})", scaled(x), scaled(top)))
        }
        Turn::Turned => {
            // The quarter turn makes rightwards of downwards.
            let (_, y) = strip.center();
            let left = strip.x + 0.06;
            let place = format!("translate({} {}) rotate(-90)", scaled(left), scaled(y));
            (strip.width - 0.12, place)
        }
    };
    let (stem, leaves, berries) = vine(length);
    let fields = it.fields();
    let trays = rules::Color::ALL.map(|color| it.tray(color));
    view! {
        <svg
            class="art"
            viewBox=format!("0 0 {} {}", scaled(width), scaled(height))
            aria-hidden="true"
        >
            <defs>
                <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
                    <stop class="wood-a" offset="0" />
                    <stop class="wood-b" offset="1" />
                </linearGradient>
                <linearGradient id="maple" x1="0" y1="0" x2="0" y2="1">
                    <stop class="field-a" offset="0" />
                    <stop class="field-b" offset=".5" />
                    <stop class="field-a" offset="1" />
                </linearGradient>
            </defs>
            {rectangle("frame", whole, 0.28)}
            {rectangle("frame-line", grown(whole, -0.035), 0.25)}
            {fields.into_iter().map(|field| rectangle("field-edge", grown(field, 0.05), 0.09)).collect_view()}
            {fields.into_iter().map(|field| rectangle("field", field, 0.05)).collect_view()}
            {points}
            {fields.into_iter().map(|field| rectangle("field-shade", field, 0.05)).collect_view()}
            {trays.into_iter().map(|tray| rectangle("tray", tray, 0.09)).collect_view()}
            <g class="vine" transform=place>
                <path class="stem" d=stem />
                <path class="leaf" d=leaves />
                <path class="berry" d=berries />
            </g>
            {numbers}
        </svg>
    }
}
