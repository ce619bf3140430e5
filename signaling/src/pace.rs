//! How fast one socket may speak.

use tokio::time::Instant;

/// A bucket of messages: full at first, refilled at a steady rate, one taken for each message.
#[derive(Debug)]
pub(crate) struct Pace {
    left: f64,
    burst: f64,
    per_second: f64,
    at: Instant,
}

impl Pace {
    /// `burst` messages at once, `per_second` for ever.
    pub(crate) fn new(burst: u32, per_second: u32, now: Instant) -> Pace {
        let burst = f64::from(burst);
        Pace { left: burst, burst, per_second: f64::from(per_second), at: now }
    }

    /// Takes one message; false if there is none left.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * self.per_second;
        self.left = (self.left + gained).min(self.burst);
        self.at = now;
        let allowed = self.left >= 1.0;
        if allowed {
            self.left -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_then_the_rate() {
        let start = Instant::now();
        let mut pace = Pace::new(3, 2, start);
        assert_eq!([0; 4].map(|_| pace.take(start)), [true, true, true, false]);
        let later = start + Duration::from_millis(500);
        assert_eq!([0; 2].map(|_| pace.take(later)), [true, false]);
        let much_later = start + Duration::from_secs(3600);
        assert_eq!([0; 4].map(|_| pace.take(much_later)), [true, true, true, false]);
    }
}
