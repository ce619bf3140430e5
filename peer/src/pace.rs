/// How fast messages may come or go: `per_second` in the long run, `burst` at once.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    per_second: u64,
    /// In thousandths of a message.
    full: u64,
    left: u64,
    at_ms: u64,
}

impl Pace {
    pub(crate) const fn new(per_second: u64, burst: u64, now_ms: u64) -> Pace {
        Pace { per_second, full: burst * 1000, left: burst * 1000, at_ms: now_ms }
    }

    /// Whether one more may pass now; if so, it has.
    pub(crate) fn pass(&mut self, now_ms: u64) -> bool {
        let gained = now_ms.saturating_sub(self.at_ms).saturating_mul(self.per_second);
        self.left = self.left.saturating_add(gained).min(self.full);
        self.at_ms = self.at_ms.max(now_ms);
        match self.left.checked_sub(1000) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// When the next one may pass.
    pub(crate) fn free_at(&self) -> u64 {
        self.at_ms + 1000u64.saturating_sub(self.left).div_ceil(self.per_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let mut pace = Pace::new(20, 60, 0);
        assert_eq!((0..100).filter(|_| pace.pass(0)).count(), 60);
        assert_eq!(pace.free_at(), 50);
        assert!(!pace.pass(49));
        assert!(pace.pass(50));
        assert_eq!((0..100).filter(|_| pace.pass(1050)).count(), 20);
        assert_eq!((0..100).filter(|_| pace.pass(1_000_000)).count(), 60);
        assert!(!pace.pass(0), "a clock that goes back gives nothing");
    }
}
