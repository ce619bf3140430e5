// Keeps a whole copy of the site, so that two people on one device play without a network after one
// visit. The build puts `self.SITE = { version, files }` in front of this file; a build without it
// keeps what the page has loaded.

const { version, files } = self.SITE ?? { version: "unlisted", files: null };
const PREFIX = `zari ${new URL(self.registration.scope).pathname} `;
const CACHE = PREFIX + version;
const HOME = new URL("./", self.registration.scope).href;
const absolute = (file) => new URL(file, self.registration.scope).href;

async function keep(addresses) {
  const cache = await caches.open(CACHE);
  await cache.addAll([...new Set(addresses)].map((it) => new Request(it, { cache: "reload" })));
}

self.addEventListener("install", (event) => {
  const listed = (files ?? []).filter((file) => file !== "index.html").map(absolute);
  event.waitUntil(keep([HOME, ...listed]));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") {
    self.skipWaiting();
  } else if (Array.isArray(event.data)) {
    event.waitUntil((async () => {
      if (!files) await keep([HOME, ...event.data]);
      event.source.postMessage("whole");
    })());
  }
});

// What a whole copy is of does not change under the page; the host's own settings may, and so may
// everything in a build without a list.
const changes = (url) => !files || url.pathname.endsWith("/config.json");

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  const kept = () =>
    request.mode === "navigate"
      ? cache.match(HOME)
      : cache.match(request, { ignoreSearch: true });
  if (changes(url)) {
    try {
      return await fetch(request);
    } catch (error) {
      const copy = await kept();
      if (copy) return copy;
      throw error;
    }
  }
  return (await kept()) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const home = new URL(HOME);
  if (event.request.method !== "GET" || url.origin !== home.origin) return;
  if (!url.pathname.startsWith(home.pathname)) return;
  // Only the page itself is answered with the page: beside it there may be other sites.
  const isPage = [home.pathname, `${home.pathname}index.html`].includes(url.pathname);
  if (event.request.mode === "navigate" && !isPage) return;
  event.respondWith(answer(event.request, url));
});
