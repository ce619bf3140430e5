//! A chain reveals what it committed to, and what was revealed can only be that.
#![allow(clippy::unwrap_used)]
#![cfg(not(target_arch = "wasm32"))]

use std::sync::LazyLock;

use fair_dice::{
    CHAIN_LENGTH, Chain, RevealError, Revealed, Value, chain_step, tagged_hash, tip_guest, tip_host,
};
use proptest::prelude::*;
use rules::{ByColor, Color};

const KEYS: ByColor<Value> = ByColor { white: [0x11; 32], black: [0x22; 32] };
const N: u32 = CHAIN_LENGTH;

static CHAINS: LazyLock<ByColor<Chain>> = LazyLock::new(|| ByColor {
    white: Chain::new(&KEYS.white, Color::White, tip_host(&[1; 32], b"offer", b"accept")),
    black: Chain::new(&KEYS.black, Color::Black, tip_guest(&[2; 32], b"offer")),
});

fn revealed(seat: Color) -> Revealed {
    Revealed::new(&KEYS[seat], seat, CHAINS[seat].anchor())
}

fn x(seat: Color, i: u32) -> Value {
    CHAINS[seat].reveal(i).unwrap()
}

#[test]
fn a_chain_is_its_steps() {
    for seat in Color::ALL {
        let chain = &CHAINS[seat];
        let mut values = vec![x(seat, N)];
        for i in (0..N).rev() {
            values.push(chain_step(&KEYS[seat], seat, i, values.last().unwrap()));
        }
        values.reverse();
        assert_eq!(chain.seat(), seat);
        assert_eq!(chain.anchor(), values[0]);
        for (i, value) in values.iter().enumerate() {
            assert_eq!(chain.reveal(i as u32).as_ref(), Some(value), "value {i}");
        }
        assert!(chain.reveals().eq(values[1..].iter().copied()));
    }
    assert_eq!(x(Color::White, N), tip_host(&[1; 32], b"offer", b"accept"));
    assert_eq!(x(Color::Black, N), tip_guest(&[2; 32], b"offer"));
}

#[test]
fn nothing_is_revealed_past_the_end() {
    let chain = &CHAINS.white;
    for i in [N + 1, N + 127, N + 128, N + 129, u32::MAX - 127, u32::MAX - 1, u32::MAX] {
        assert_eq!(chain.reveal(i), None, "{i}");
    }
}

#[test]
fn no_two_values_of_a_table_are_equal() {
    let mut values: Vec<Value> = CHAINS.white.reveals().chain(CHAINS.black.reveals()).collect();
    values.extend(Color::ALL.map(|seat| CHAINS[seat].anchor()));
    values.sort_unstable();
    values.dedup();
    assert_eq!(values.len(), 2 * (N as usize + 1));
}

/// One chain must never serve two games: everything that makes a game another one changes the tip.
#[test]
fn another_game_is_another_chain() {
    let host = tip_host(&[1; 32], b"offer", b"accept");
    for other in [
        tip_host(&[9; 32], b"offer", b"accept"),
        tip_host(&[1; 32], b"offer2", b"accept"),
        tip_host(&[1; 32], b"offer", b"accept2"),
        tip_host(&[1; 32], b"offera", b"ccept"),
        tip_guest(&[1; 32], b"offer"),
        tip_guest(&[1; 32], b"offeraccept"),
    ] {
        assert_ne!(other, host);
    }
    assert_ne!(tip_guest(&[1; 32], b"offer"), tip_guest(&[1; 32], b"offer2"));
    assert_ne!(tip_guest(&[1; 32], b"offer"), tip_guest(&[2; 32], b"offer"));
}

#[test]
fn a_reveal_is_accepted_once_and_in_order() {
    let mut host = revealed(Color::White);
    assert_eq!((host.last(), host.latest()), (0, CHAINS.white.anchor()));
    for i in 1..=3 {
        assert_eq!(host.accept(i, x(Color::White, i)), Ok(()));
        assert_eq!((host.last(), host.latest()), (i, x(Color::White, i)));
    }
    let before = host;
    for (i, value) in [
        (3, x(Color::White, 3)),
        (1, x(Color::White, 1)),
        (0, CHAINS.white.anchor()),
        (5, x(Color::White, 5)),
        (N + 1, x(Color::White, 4)),
        (u32::MAX, x(Color::White, 4)),
    ] {
        let refused = Err(RevealError::WrongRoll { expected: 4, got: i });
        assert_eq!(host.accept(i, value), refused, "replay or leap to {i}");
    }
    for wrong in [x(Color::White, 3), x(Color::White, 5), x(Color::Black, 4), [0; 32], [255; 32]] {
        assert_eq!(host.accept(4, wrong), Err(RevealError::NotInChain { i: 4 }));
    }
    for bit in 0..256 {
        let mut wrong = x(Color::White, 4);
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(host.accept(4, wrong), Err(RevealError::NotInChain { i: 4 }), "bit {bit}");
    }
    assert_eq!(host, before, "a refusal changes nothing");
    assert_eq!(host.accept(4, x(Color::White, 4)), Ok(()));
}

#[test]
fn after_the_last_value_nothing_is_accepted() {
    let mut guest = revealed(Color::Black);
    for (i, value) in (1..).zip(CHAINS.black.reveals()) {
        guest.accept(i, value).unwrap();
    }
    assert_eq!(guest.last(), N);
    for i in [0, 1, N, N + 1, u32::MAX] {
        // Even what would be one step further in the same manner.
        assert_eq!(guest.accept(i, x(Color::Black, N)), Err(RevealError::Exhausted), "{i}");
    }
    assert_eq!((guest.last(), guest.latest()), (N, x(Color::Black, N)));
}

/// Who hands back the other side's anchor and values as his own would know both halves of every
/// seed.
fn echo_passes(step: impl Fn(&Value, Color, u32, &Value) -> Value) -> bool {
    let reveal = [0x77; 32];
    let anchor = step(&KEYS.white, Color::White, 0, &reveal);
    step(&KEYS.black, Color::Black, 0, &reveal) == anchor
}

#[test]
fn echo_of_the_other_sides_values_is_refused() {
    for seat in Color::ALL {
        let other = seat.opposite();
        let mut echo = Revealed::new(&KEYS[seat], seat, CHAINS[other].anchor());
        let refused = Err(RevealError::NotInChain { i: 1 });
        assert_eq!(echo.accept(1, x(other, 1)), refused);
        // Not even under the other's key, at one's own seat; nor under one's own key at his seat.
        let mut echo = Revealed::new(&KEYS[other], seat, CHAINS[other].anchor());
        assert_eq!(echo.accept(1, x(other, 1)), refused);
        let mut echo = Revealed::new(&KEYS[seat], other, CHAINS[other].anchor());
        assert_eq!(echo.accept(1, x(other, 1)), refused);
        // The same bytes are right where they belong.
        assert_eq!(revealed(other).accept(1, x(other, 1)), Ok(()));
    }
    assert!(!echo_passes(chain_step));
    let without_key_and_seat = |_: &Value, _: Color, i: u32, next: &Value| {
        tagged_hash("zari/chain/1", &[&i.to_be_bytes(), next])
    };
    assert!(echo_passes(without_key_and_seat), "the check sees a chain that allows the echo");
}

#[test]
fn debug_output_tells_no_secret() {
    let chain = &CHAINS.white;
    let told = format!("{chain:?}");
    assert!(told.contains(&format!("{:?}", chain.anchor())));
    for secret in [x(Color::White, N), x(Color::White, 128), x(Color::White, 1)] {
        assert!(!told.contains(&format!("{secret:?}")));
    }
}

#[derive(Clone, Debug)]
enum Attempt {
    Next,
    Number(u32),
    Nearby(u32),
    Value(Value),
    Other,
    Earlier,
    Later,
}

fn attempts() -> impl Strategy<Value = Attempt> {
    prop_oneof![
        4 => Just(Attempt::Next),
        1 => any::<u32>().prop_map(Attempt::Number),
        1 => (0..4_u32).prop_map(Attempt::Nearby),
        1 => any::<[u8; 32]>().prop_map(Attempt::Value),
        1 => Just(Attempt::Other),
        1 => Just(Attempt::Earlier),
        1 => Just(Attempt::Later),
    ]
}

proptest! {
    /// Whatever is tried, exactly the next value of the chain is accepted.
    #[test]
    fn only_the_next_value_is_accepted(white in any::<bool>(), tries in prop::collection::vec(attempts(), 0..60)) {
        let seat = if white { Color::White } else { Color::Black };
        let mut revealed = revealed(seat);
        let mut last = 0;
        for attempt in tries {
            let next = last + 1;
            let (i, value) = match attempt {
                Attempt::Next => (next, x(seat, next)),
                Attempt::Number(i) => (i, x(seat, next)),
                Attempt::Nearby(d) => ((next + d).saturating_sub(2), x(seat, (next + d).saturating_sub(2))),
                Attempt::Value(value) => (next, value),
                Attempt::Other => (next, x(seat.opposite(), next)),
                Attempt::Earlier => (next, x(seat, last)),
                Attempt::Later => (next, x(seat, next + 1)),
            };
            let right = i == next && value == x(seat, next);
            prop_assert_eq!(revealed.accept(i, value).is_ok(), right);
            last += u32::from(right);
            prop_assert_eq!((revealed.last(), revealed.latest()), (last, x(seat, last)));
        }
    }
}
