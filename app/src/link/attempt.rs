//! One attempt to connect, and the channel that comes of it: one life of the library for each, which
//! is shown exactly one peer and only signals that have passed the peer crate.

use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use futures::channel::{mpsc, oneshot};
use futures::{FutureExt as _, StreamExt as _, select};
use matchbox_socket::async_trait::async_trait;
use matchbox_socket::{
    PeerEvent, PeerId, PeerRequest, PeerSignal, PeerState, RtcIceServerConfig, SignalingError,
    Signaller, SignallerBuilder, WebRtcSocketBuilder,
};
use peer::{ChannelId, Role, Signal};
use uuid::Uuid;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::connections;

/// What comes of an attempt.
pub enum News {
    /// Something for the other end, through the signaling server.
    Signal(Signal),
    /// The channel is open.
    Opened,
    /// A message of the other end.
    Frame(Vec<u8>),
    /// It failed, or the channel is closed. Nothing follows.
    Closed,
}

/// The two ends as the library knows them. They name nobody: one life of the library has one peer.
const OWN: PeerId = PeerId(Uuid::from_u128(1));
const OTHER: PeerId = PeerId(Uuid::from_u128(2));

/// A running attempt or an open channel. Dropping it closes the connection.
pub struct Attempt {
    name: String,
    to_library: mpsc::UnboundedSender<PeerEvent>,
    to_other: mpsc::UnboundedSender<(PeerId, matchbox_socket::Packet)>,
    stop: Option<oneshot::Sender<()>>,
    _failed: Closure<dyn FnMut()>,
}

impl Attempt {
    /// Starts to connect. `servers` is the JSON of the list for the browser; `news` is called from
    /// the event loop, never from within this function.
    pub fn start(id: ChannelId, role: Role, servers: &str, news: Rc<dyn Fn(News)>) -> Attempt {
        let name = format!("zari-{}", id.0);
        let (to_library, from_room) = mpsc::unbounded();
        let (to_room, mut from_library) = mpsc::unbounded();
        let (stop, stopped) = oneshot::channel::<()>();

        let failed = Closure::new({
            let news = Rc::clone(&news);
            move || news(News::Closed)
        });
        connections::prepare(&name, servers, &failed);

        // What the library is told first: its own name and, if it is to make the offer, whom to.
        let send = |event| drop(to_library.unbounded_send(event));
        send(PeerEvent::IdAssigned(OWN));
        if role == Role::Offerer {
            send(PeerEvent::NewPeer(OTHER));
        }

        let signaller = OneSignaller { from_room, to_room };
        let (mut socket, library) = WebRtcSocketBuilder::new("")
            .ice_server(RtcIceServerConfig {
                // Never asked: connections.js puts the page's own list in its place by this name.
                urls: vec!["stun:localhost".to_owned()],
                username: Some(name.clone()),
                credential: None,
            })
            .reconnect_attempts(Some(1))
            .signaling_keep_alive_interval(None)
            .add_reliable_channel()
            .signaller_builder(Arc::new(OneSignallerBuilder(Mutex::new(Some(signaller)))))
            .build();
        let (to_other, mut from_other) = match socket.take_channel(0) {
            Ok(channel) => channel.split(),
            // The channel exists: it was added two lines above.
            Err(_) => (mpsc::unbounded().0, mpsc::unbounded().1),
        };

        spawn_local({
            let name = name.clone();
            async move {
                let mut library = library.fuse();
                let mut stopped = stopped.fuse();
                let mut states = socket.fuse();
                loop {
                    let event = select! {
                        _ = stopped => break,
                        _ended = library => News::Closed,
                        signal = from_library.next() => match signal {
                            Some(signal) => News::Signal(signal),
                            None => News::Closed,
                        },
                        state = states.next() => match state {
                            Some((_, PeerState::Connected)) => News::Opened,
                            _ => News::Closed,
                        },
                        packet = from_other.next() => match packet {
                            Some((_, packet)) => News::Frame(packet.to_vec()),
                            None => News::Closed,
                        },
                    };
                    let last = matches!(event, News::Closed);
                    news(event);
                    if last {
                        break;
                    }
                }
                // Before the library's futures go: its handlers panic when they find nobody.
                connections::close(&name);
            }
        });

        Attempt { name, to_library, to_other, stop: Some(stop), _failed: failed }
    }

    /// Hands on what the other end told through the signaling server.
    pub fn signal(&self, signal: Signal) {
        let data = match signal {
            Signal::Offer(text) => PeerSignal::Offer(text),
            Signal::Answer(text) => PeerSignal::Answer(text),
            Signal::Ice(text) => PeerSignal::IceCandidate(text),
        };
        drop(self.to_library.unbounded_send(PeerEvent::Signal { sender: OTHER, data }));
    }

    /// Sends one message over the open channel.
    pub fn send(&self, frame: Vec<u8>) {
        drop(self.to_other.unbounded_send((OTHER, frame.into())));
    }

    /// Closes the connection after what was sent before.
    pub fn close(mut self) {
        // The library's task was woken by the sends and runs first.
        spawn_local(async move {
            if let Some(stop) = self.stop.take() {
                // Nobody listens any more where the attempt has ended by itself.
                let _ = stop.send(());
            }
            connections::close(&self.name);
        });
    }
}

impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attempt").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Passes signals between one life of the library and the page.
struct OneSignaller {
    from_room: mpsc::UnboundedReceiver<PeerEvent>,
    to_room: mpsc::UnboundedSender<Signal>,
}

#[cfg_attr(target_arch = "wasm32", async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait)]
impl Signaller for OneSignaller {
    async fn send(&mut self, request: PeerRequest) -> Result<(), SignalingError> {
        let signal = match request {
            PeerRequest::Signal { data: PeerSignal::Offer(text), .. } => Signal::Offer(text),
            PeerRequest::Signal { data: PeerSignal::Answer(text), .. } => Signal::Answer(text),
            PeerRequest::Signal { data: PeerSignal::IceCandidate(text), .. } => Signal::Ice(text),
            PeerRequest::KeepAlive => return Ok(()),
        };
        drop(self.to_room.unbounded_send(signal));
        Ok(())
    }

    async fn next_message(&mut self) -> Result<PeerEvent, SignalingError> {
        match self.from_room.next().await {
            Some(event) => Ok(event),
            // A connection that stands needs no signals: the library would end it with an error.
            None => std::future::pending().await,
        }
    }
}

struct OneSignallerBuilder(Mutex<Option<OneSignaller>>);

impl std::fmt::Debug for OneSignallerBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OneSignallerBuilder")
    }
}

#[cfg_attr(target_arch = "wasm32", async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait)]
impl SignallerBuilder for OneSignallerBuilder {
    async fn new_signaller(
        &self,
        _attempts: Option<u16>,
        _room_url: String,
    ) -> Result<Box<dyn Signaller>, SignalingError> {
        match self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(signaller) => Ok(Box::new(signaller)),
            None => Err(SignalingError::UserImplementationError("used twice".to_owned())),
        }
    }
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use std::cell::RefCell;

    use gloo_timers::future::TimeoutFuture;
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    type Heard = Rc<RefCell<Vec<News>>>;

    fn start(id: u32, role: Role) -> (Attempt, Heard) {
        let heard = Heard::default();
        let hear = Rc::clone(&heard);
        let news: Rc<dyn Fn(News)> = Rc::new(move |news| hear.borrow_mut().push(news));
        (Attempt::start(ChannelId(id), role, "[]", news), heard)
    }

    /// Hands the signals of one end to the other, until `done`.
    async fn carry(
        ends: [(&Attempt, &Heard); 2],
        carried: &mut [usize; 2],
        done: impl Fn() -> bool,
    ) {
        for _ in 0..400 {
            for (from, to) in [(0, 1), (1, 0)] {
                let news = ends[from].1.borrow();
                for item in &news[carried[from]..] {
                    if let News::Signal(signal) = item {
                        ends[to].0.signal(signal.clone());
                    }
                }
                carried[from] = news.len();
            }
            if done() {
                return;
            }
            TimeoutFuture::new(20).await;
        }
        panic!("nothing more happens");
    }

    fn frames(heard: &Heard) -> Vec<Vec<u8>> {
        let frame = |news: &News| match news {
            News::Frame(bytes) => Some(bytes.clone()),
            _ => None,
        };
        heard.borrow().iter().filter_map(frame).collect()
    }

    fn has_opened(heard: &Heard) -> bool {
        heard.borrow().iter().any(|news| matches!(news, News::Opened))
    }

    fn has_closed(heard: &Heard) -> bool {
        heard.borrow().iter().any(|news| matches!(news, News::Closed))
    }

    #[wasm_bindgen_test]
    async fn two_ends_connect_talk_and_part() {
        let (host, host_heard) = start(1, Role::Offerer);
        let (guest, guest_heard) = start(2, Role::Answerer);
        let ends = [(&host, &host_heard), (&guest, &guest_heard)];
        let mut carried = [0, 0];
        let open = || has_opened(&host_heard) && has_opened(&guest_heard);
        carry(ends, &mut carried, open).await;
        for n in 0..100u8 {
            host.send(vec![n; 500]);
        }
        guest.send(b"back".to_vec());
        let arrived = || frames(&guest_heard).len() == 100 && frames(&host_heard).len() == 1;
        carry(ends, &mut carried, arrived).await;
        assert!(frames(&guest_heard).iter().zip(0..).all(|(frame, n)| frame == &[n; 500]));

        // What was sent before the end still arrives.
        host.send(b"goodbye".to_vec());
        host.close();
        for _ in 0..100 {
            if has_closed(&guest_heard) {
                break;
            }
            TimeoutFuture::new(20).await;
        }
        assert_eq!(frames(&guest_heard).last().map(Vec::as_slice), Some(b"goodbye".as_slice()));
        assert!(has_closed(&guest_heard), "the other end hears of it at once");
    }

    #[wasm_bindgen_test]
    async fn garbage_from_the_other_end_ends_one_attempt_and_not_the_page() {
        let (guest, heard) = start(3, Role::Answerer);
        guest.signal(Signal::Ice("{".to_owned()));
        guest.signal(Signal::Ice(r#"{"candidate":"rubbish","sdpMid":"9"}"#.to_owned()));
        guest.signal(Signal::Offer("v=0\r\nrubbish".to_owned()));
        guest.signal(Signal::Offer("again".to_owned()));
        for _ in 0..100 {
            if has_closed(&heard) {
                break;
            }
            TimeoutFuture::new(20).await;
        }
        assert!(has_closed(&heard) && !has_opened(&heard));
    }
}
