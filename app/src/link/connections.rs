//! The guard of `connections.js` around the browser's connections.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/link/connections.js")]
extern "C" {
    /// Whether this browser can connect at all.
    #[wasm_bindgen(js_name = isAvailable)]
    pub fn is_available() -> bool;

    /// Announces an attempt under a name of its own; `servers` is the JSON of the browser's list.
    pub fn prepare(name: &str, servers: &str, failed: &Closure<dyn FnMut()>);

    /// Ends an attempt or a connection.
    pub fn close(name: &str);
}

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use gloo_timers::future::TimeoutFuture;
    use js_sys::{Array, Object, Reflect};
    use wasm_bindgen_futures::JsFuture;
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{
        RtcConfiguration, RtcIceGatheringState, RtcPeerConnection, RtcSdpType,
        RtcSessionDescriptionInit,
    };

    use super::*;

    wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

    fn with(object: &Object, name: &str, value: &JsValue) {
        Reflect::set(object, &name.into(), value).expect("a plain object takes it");
    }

    /// A connection as the library makes it: the attempt's name is the user name of its server.
    fn connection(name: &str) -> RtcPeerConnection {
        let server = Object::new();
        with(&server, "urls", &Array::of1(&"stun:localhost".into()));
        with(&server, "username", &name.into());
        with(&server, "credential", &"".into());
        let configuration = RtcConfiguration::new();
        configuration.set_ice_servers(&Array::of1(&server));
        RtcPeerConnection::new_with_configuration(&configuration).expect("the browser has WebRTC")
    }

    fn prepared(name: &str, servers: &str) -> (Rc<Cell<u32>>, Closure<dyn FnMut()>) {
        let failed = Rc::new(Cell::new(0));
        let told = Rc::clone(&failed);
        let closure = Closure::new(move || told.set(told.get() + 1));
        prepare(name, servers, &closure);
        (failed, closure)
    }

    #[wasm_bindgen_test]
    async fn a_garbled_description_fails_the_attempt_and_never_rejects() {
        let (failed, _closure) = prepared("garbled", "[]");
        let connection = connection("garbled");
        let garbage = RtcSessionDescriptionInit::new(RtcSdpType::Offer);
        garbage.set_sdp("garbage");
        let answered = Rc::new(Cell::new(false));
        let told = Rc::clone(&answered);
        let promise = connection.set_remote_description(&garbage);
        wasm_bindgen_futures::spawn_local(async move {
            let _ = JsFuture::from(promise).await;
            told.set(true);
        });
        TimeoutFuture::new(300).await;
        assert!(!answered.get(), "a library that unwraps never sees the error");
        assert_eq!(failed.get(), 1);
        close("garbled");
        let state = Reflect::get(&connection, &"signalingState".into()).expect("it has one");
        assert_eq!(state.as_string().as_deref(), Some("closed"));
    }

    #[wasm_bindgen_test]
    async fn a_closed_attempt_tells_nothing() {
        let (failed, _closure) = prepared("closed", "[]");
        let connection = connection("closed");
        close("closed");
        let garbage = RtcSessionDescriptionInit::new(RtcSdpType::Offer);
        garbage.set_sdp("garbage");
        let _ = connection.set_remote_description(&garbage);
        TimeoutFuture::new(100).await;
        assert_eq!(failed.get(), 0);
    }

    #[wasm_bindgen_test]
    async fn gathering_ends_though_a_server_is_silent() {
        // An address of RFC 5737 that nobody has.
        let (_failed, _closure) = prepared("silent", r#"[{"urls":["stun:192.0.2.1:3478"]}]"#);
        let connection = connection("silent");
        connection.create_data_channel("x");
        let offer = JsFuture::from(connection.create_offer()).await.expect("an offer is made");
        let description: RtcSessionDescriptionInit = offer.unchecked_into();
        JsFuture::from(connection.set_local_description(&description)).await.expect("it is set");
        let told = Rc::new(Cell::new(false));
        let tell = Rc::clone(&told);
        let complete = Closure::<dyn FnMut()>::new(move || tell.set(true));
        connection.set_onicegatheringstatechange(Some(complete.as_ref().unchecked_ref()));
        let mut waited = 0;
        while connection.ice_gathering_state() != RtcIceGatheringState::Complete {
            TimeoutFuture::new(50).await;
            waited += 50;
            assert!(waited < 5_000, "the browser alone takes 40 s");
        }
        TimeoutFuture::new(50).await;
        assert!(told.get(), "the library waits for the event");
        close("silent");
    }
}
