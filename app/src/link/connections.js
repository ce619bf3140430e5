// A guard around RTCPeerConnection, put in place before the library that uses it:
//
// - it gives each attempt the page's own list of servers, of which the library knows only one;
// - it bounds the gathering of candidates, which takes 40 s when a server does not answer;
// - it never rejects: the library panics on a description or candidate that the browser refuses, and
//   both come from the other page. The attempt fails instead, and the page is told;
// - it closes what the library abandons, and says when a connection is lost for good.

const GATHERING_MS = 2500;
const never = () => new Promise(() => {});

/** Attempts by their name: { configuration, failed, connection, channels } */
const attempts = new Map();

const Native = globalThis.RTCPeerConnection;

/** Whether this browser can connect at all. */
export function isAvailable() {
  return typeof Native === "function";
}

/**
 * Announces an attempt. The library names it in the user name of its only server, see attempt.rs.
 * `servers` is JSON: the list for the browser. `failed` is called at most once.
 */
export function prepare(name, servers, failed) {
  attempts.set(name, { servers: JSON.parse(servers), failed, connection: null, channels: [] });
}

/** Ends an attempt or a connection. Nothing of it reaches the library any more. */
export function close(name) {
  const attempt = attempts.get(name);
  if (!attempt) return;
  attempts.delete(name);
  for (const channel of attempt.channels) {
    channel.onopen = channel.onmessage = channel.onclose = channel.onerror = null;
  }
  const { connection } = attempt;
  if (!connection) return;
  connection.onicecandidate = connection.onicegatheringstatechange = null;
  connection.oniceconnectionstatechange = null;
  connection.close();
}

function fail(name) {
  const attempt = attempts.get(name);
  if (!attempt || attempt.hasFailed) return;
  attempt.hasFailed = true;
  // Not while the library runs: it may hold what the page needs for the answer.
  queueMicrotask(() => {
    if (attempts.has(name)) attempt.failed();
  });
}

if (isAvailable()) {
  globalThis.RTCPeerConnection = class extends Native {
    #name;
    #gatheringIsOver = false;

    constructor(configuration) {
      const name = configuration?.iceServers?.[0]?.username;
      const attempt = attempts.get(name);
      super(attempt ? { iceServers: attempt.servers } : configuration);
      if (!attempt) return;
      this.#name = name;
      attempt.connection = this;
      this.addEventListener("connectionstatechange", () => {
        // "disconnected" heals by itself, also after a minute of sleep; "failed" does not.
        if (this.connectionState === "failed") fail(name);
      });
    }

    get iceGatheringState() {
      return this.#gatheringIsOver ? "complete" : super.iceGatheringState;
    }

    createDataChannel(...args) {
      const channel = super.createDataChannel(...args);
      attempts.get(this.#name)?.channels.push(channel);
      return channel;
    }

    async #guarded(step) {
      try {
        return await step();
      } catch (error) {
        console.warn(`${this.#name}: ${error}`);
        fail(this.#name);
        return never();
      }
    }

    createOffer(...args) {
      return this.#guarded(() => super.createOffer(...args));
    }

    createAnswer(...args) {
      return this.#guarded(() => super.createAnswer(...args));
    }

    setRemoteDescription(...args) {
      return this.#guarded(() => super.setRemoteDescription(...args));
    }

    setLocalDescription(...args) {
      setTimeout(() => {
        if (super.iceGatheringState === "complete" || !attempts.has(this.#name)) return;
        this.#gatheringIsOver = true;
        this.dispatchEvent(new Event("icegatheringstatechange"));
      }, GATHERING_MS);
      return this.#guarded(() => super.setLocalDescription(...args));
    }

    async addIceCandidate(...args) {
      try {
        await super.addIceCandidate(...args);
      } catch (error) {
        // One candidate that this browser cannot read does not end the attempt.
        console.debug(`${this.#name}: ${error}`);
      }
    }
  };
}
