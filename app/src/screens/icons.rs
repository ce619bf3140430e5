//! The drawings of the page, as SVG in the text's colour or in the wood's.

use leptos::prelude::*;

/// The mark of Zari: a garnet and an ivory checker under a gold leaf.
pub fn logo() -> impl IntoView {
    view! {
        <svg viewBox="0 0 64 64" aria-hidden="true">
            <rect class="logo-wood" x="2" y="2" width="60" height="60" rx="15" />
            <rect class="logo-line" x="5" y="5" width="54" height="54" rx="12.5" />
            <path class="logo-point-a" d="M12 57L22 19L32 57Z" />
            <path class="logo-point-b" d="M32 57L42 19L52 57Z" />
            <circle class="logo-ivory" cx="22" cy="46" r="10.5" />
            <circle class="logo-ivory-ring" cx="22" cy="46" r="6.6" />
            <rect class="logo-die" x="29" y="9" width="24" height="24" rx="6.5" transform="rotate(12 41 21)" />
            <g class="logo-pips" transform="rotate(12 41 21)">
                <circle cx="35" cy="15" r="2.3" />
                <circle cx="47" cy="15" r="2.3" />
                <circle cx="41" cy="21" r="2.3" />
                <circle cx="35" cy="27" r="2.3" />
                <circle cx="47" cy="27" r="2.3" />
            </g>
        </svg>
    }
}

/// Two checkers on one board: people at one device.
pub fn two_here() -> impl IntoView {
    view! {
        <svg viewBox="0 0 56 56" aria-hidden="true">
            <rect class="logo-wood" x="2" y="8" width="52" height="40" rx="9" />
            <rect class="logo-field" x="7" y="13" width="19" height="30" rx="2" />
            <rect class="logo-field" x="30" y="13" width="19" height="30" rx="2" />
            <path class="logo-point-a" d="M8 13L13 29L18 13ZM30 43L35 27L40 43Z" />
            <path class="logo-point-b" d="M16 43L21 27L26 43ZM38 13L43 29L48 13Z" />
            <circle class="logo-ivory" cx="18" cy="34" r="7.5" />
            <circle class="logo-ivory-ring" cx="18" cy="34" r="4.6" />
            <circle class="logo-garnet" cx="38" cy="22" r="7.5" />
            <circle class="logo-garnet-ring" cx="38" cy="22" r="4.6" />
        </svg>
    }
}

/// A checker at each end of a thread: a friend somewhere else.
pub fn two_apart() -> impl IntoView {
    view! {
        <svg viewBox="0 0 56 56" aria-hidden="true">
            <path class="logo-thread" d="M22 43C40 50 16 6 34 13" />
            <circle class="logo-ivory" cx="14" cy="40" r="10" />
            <circle class="logo-ivory-ring" cx="14" cy="40" r="6.2" />
            <circle class="logo-garnet" cx="42" cy="16" r="10" />
            <circle class="logo-garnet-ring" cx="42" cy="16" r="6.2" />
        </svg>
    }
}

/// A die with a circuit's corner: the computer.
pub fn computer() -> impl IntoView {
    view! {
        <svg viewBox="0 0 56 56" aria-hidden="true">
            <rect class="logo-die" x="12" y="12" width="32" height="32" rx="8" />
            <g class="logo-pips">
                <circle cx="21" cy="21" r="3" />
                <circle cx="35" cy="21" r="3" />
                <circle cx="28" cy="28" r="3" />
                <circle cx="21" cy="35" r="3" />
                <circle cx="35" cy="35" r="3" />
            </g>
            <path
                class="logo-thread"
                d="M20 12V5M28 12V5M36 12V5M20 51V44M28 51V44M36 51V44M5 20H12M5 28H12M5 36H12M44 20H51M44 28H51M44 36H51"
            />
        </svg>
    }
}

macro_rules! line_icon {
    ($(#[$doc:meta])* $name:ident, $path:literal) => {
        $(#[$doc])*
        pub fn $name() -> impl IntoView {
            view! {
                <svg class="line-icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
                    <path d=$path />
                </svg>
            }
        }
    };
}

line_icon!(
    /// Go on.
    chevron, "M9 5l7 7-7 7"
);
line_icon!(
    /// Go back.
    back, "M15 5l-7 7 7 7"
);
line_icon!(
    /// Three lines.
    menu, "M4 7h16M4 12h16M4 17h16"
);
line_icon!(
    /// Close.
    cross, "M6 6l12 12M18 6L6 18"
);
line_icon!(
    /// It holds.
    tick, "M4.5 12.5l5 5L19.5 7"
);
line_icon!(
    /// Into a file.
    save, "M12 4v11M7.5 10.5L12 15l4.5-4.5M5 19.5h14"
);
line_icon!(
    /// A step back.
    undo, "M9 6L4 11l5 5M4.5 11H14a6 6 0 0 1 0 12h-2"
);
line_icon!(
    /// The whole turn back.
    reset, "M12 6L7 11l5 5M6 6L1 11l5 5M7.5 11H15a6 6 0 0 1 0 12h-2"
);
line_icon!(
    /// The board turns.
    flip, "M7 20V5M7 5L3.5 8.5M7 5l3.5 3.5M17 4v15M17 19l-3.5-3.5M17 19l3.5-3.5"
);
line_icon!(
    /// Settings: three sliders.
    sliders, "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h11M19 17h1M15 4.8v4.4M9 9.8v4.4M17 14.8v4.4"
);
line_icon!(
    /// A question.
    question, "M9 9a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1.1-1.4 2.3M12 17.6v.4"
);
line_icon!(
    /// Caution.
    caution, "M12 4l9 16H3L12 4zM12 10v5M12 17.4v.2"
);
