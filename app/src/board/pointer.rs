//! Drag and long press: what the pointer is doing on the board.

/// How far a mouse moves before a press becomes a drag, in CSS pixels.
const MOUSE_THRESHOLD: f64 = 4.0;
/// The same for a finger or a pen.
const TOUCH_THRESHOLD: f64 = 10.0;
/// How long a finger rests before it means the other die, in milliseconds.
pub const LONG_PRESS_MS: u32 = 450;

/// What points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// A mouse.
    Mouse,
    /// A finger or a pen.
    Touch,
}

impl Device {
    /// By `PointerEvent.pointerType`.
    #[must_use]
    pub fn named(pointer_type: &str) -> Device {
        if pointer_type == "mouse" { Device::Mouse } else { Device::Touch }
    }
}

/// A press that may become a drag. `S` names places on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press<S> {
    /// The pointer's number.
    pub pointer: i32,
    /// Where it went down.
    pub from: S,
    /// What points.
    pub device: Device,
    start: (f64, f64),
    /// Where the pointer is, once this is a drag.
    pub dragged_to: Option<(f64, f64)>,
}

impl<S> Press<S> {
    /// The pointer goes down.
    #[must_use]
    pub fn new(pointer: i32, from: S, device: Device, at: (f64, f64)) -> Press<S> {
        Press { pointer, from, device, start: at, dragged_to: None }
    }

    /// The pointer moves. Answers whether this makes it a drag, which happens once.
    pub fn moves(&mut self, at: (f64, f64)) -> bool {
        let far = (at.0 - self.start.0).hypot(at.1 - self.start.1);
        let threshold = match self.device {
            Device::Mouse => MOUSE_THRESHOLD,
            Device::Touch => TOUCH_THRESHOLD,
        };
        let begins = self.dragged_to.is_none() && far >= threshold;
        if begins || self.dragged_to.is_some() {
            self.dragged_to = Some(at);
        }
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mouse_drags_after_four_pixels_a_finger_after_ten() {
        for (device, threshold) in [(Device::Mouse, 4.0), (Device::Touch, 10.0)] {
            let mut press = Press::new(1, (), device, (50.0, 50.0));
            assert!(!press.moves((50.0 + threshold - 0.5, 50.0)));
            assert_eq!(press.dragged_to, None);
            assert!(press.moves((50.0, 50.0 - threshold)));
            assert!(!press.moves((51.0, 50.0)), "it begins once");
            assert_eq!(press.dragged_to, Some((51.0, 50.0)), "and goes on also when it comes back");
        }
    }

    #[test]
    fn only_a_mouse_is_a_mouse() {
        assert_eq!(Device::named("mouse"), Device::Mouse);
        assert_eq!(Device::named("touch"), Device::Touch);
        assert_eq!(Device::named("pen"), Device::Touch);
    }
}
