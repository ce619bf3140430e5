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
