//! What waits to be written to one socket.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::ws::Utf8Bytes;
use tokio::sync::Notify;

/// A bounded queue of frames from the rooms to the task that writes them.
///
/// Pushing never waits: who can't keep up is cut off, so that one slow client never holds up the
/// others of its room. Only one task at a time may wait on it.
#[derive(Debug)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    changed: Notify,
    most_frames: usize,
    most_bytes: usize,
}

#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<Utf8Bytes>,
    bytes: usize,
    overflowed: bool,
}

impl Outbox {
    pub(crate) fn new(most_frames: usize, most_bytes: usize) -> Outbox {
        Outbox { waiting: Mutex::default(), changed: Notify::new(), most_frames, most_bytes }
    }

    /// Queues a frame. A frame that doesn't fit is lost and ends the socket.
    pub(crate) fn push(&self, frame: Utf8Bytes) {
        let mut waiting = self.waiting();
        let bytes = waiting.bytes + frame.len();
        if waiting.overflowed || waiting.frames.len() >= self.most_frames || bytes > self.most_bytes
        {
            waiting.overflowed = true;
            waiting.frames = VecDeque::new();
            waiting.bytes = 0;
        } else {
            waiting.bytes = bytes;
            waiting.frames.push_back(frame);
        }
        drop(waiting);
        self.changed.notify_one();
    }

    /// Waits for the next frame; `None` once the queue has overflowed.
    pub(crate) async fn next(&self) -> Option<Utf8Bytes> {
        loop {
            {
                let mut waiting = self.waiting();
                if waiting.overflowed {
                    return None;
                }
                if let Some(frame) = waiting.frames.pop_front() {
                    waiting.bytes -= frame.len();
                    if waiting.frames.is_empty() {
                        // A socket is idle nearly always: keep no buffer for it.
                        waiting.frames = VecDeque::new();
                    }
                    return Some(frame);
                }
            }
            self.changed.notified().await;
        }
    }

    /// Waits until the queue overflows.
    pub(crate) async fn overflow(&self) {
        while !self.waiting().overflowed {
            self.changed.notified().await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Nothing can panic half-way through a change.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn frames_come_out_in_order() {
        let outbox = Outbox::new(2, 100);
        outbox.push("a".into());
        outbox.push("b".into());
        assert_eq!(outbox.next().await, Some("a".into()));
        outbox.push("c".into());
        assert_eq!(outbox.next().await, Some("b".into()));
        assert_eq!(outbox.next().await, Some("c".into()));
    }

    #[test]
    fn too_many_frames_overflow() {
        let outbox = Outbox::new(2, 100);
        for _ in 0..3 {
            outbox.push("a".into());
        }
        assert_eq!(outbox.overflow().now_or_never(), Some(()));
        assert_eq!(outbox.next().now_or_never(), Some(None));
    }

    #[test]
    fn too_many_bytes_overflow_for_good() {
        let outbox = Outbox::new(100, 4);
        outbox.push("abc".into());
        outbox.push("de".into());
        outbox.push("f".into());
        assert_eq!(outbox.overflow().now_or_never(), Some(()));
        assert_eq!(outbox.next().now_or_never(), Some(None));
    }
}
