// What goes wrong, and what the page says then: never an endless spinner, never a dead page.
import { hkdfSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Player } from '../harness/player.mjs';
import { check, same, test } from '../harness/runner.mjs';
import { signalingServer } from '../harness/servers.mjs';
import { connected, equal, follow, invite, meet, play, turn } from '../harness/table.mjs';

/** The room of an invitation, as PROTOCOL.md says. */
function room(link) {
  const bytes = Buffer.from(new URL(link).hash.slice(3), 'base64url');
  same([bytes.length, bytes[0]], [34, 1], 'the layout of an invitation');
  const name = hkdfSync('sha256', bytes.subarray(2), Buffer.alloc(0), 'zari/room/1', 32);
  return Buffer.from(name).subarray(0, 16).toString('base64url');
}

/** A page of no site that holds websockets to a room. */
async function stranger(t, server, path, count) {
  const profile = await t.profile('stranger');
  const page = await profile.page();
  await page.goto(`${server.url}health`);
  await page.evaluate(async ([url, number]) => {
    window.sockets = [];
    window.heard = [];
    for (let n = 0; n < number; n += 1) {
      const socket = new WebSocket(url);
      socket.onmessage = ({ data }) => window.heard.push(data);
      await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
      window.sockets.push(socket);
    }
  }, [`${server.signal}/${path}`, count]);
  return page;
}

/** Waits until the page says that it does not work, and why. */
async function reason(player, pattern, milliseconds = 25_000) {
  await player.page.waitForSelector('[data-testid="conn-status"][data-state="failed"]',
    { state: 'attached', timeout: milliseconds });
  await player.page.getByText(pattern).first().waitFor({ state: 'visible', timeout: 2000 });
}

test('a full room is explained', { seconds: 60, allow: [/WebSocket/] }, async (t) => {
  const server = t.stopping(await signalingServer());
  const host = await Player.open(await t.profile('host'), server.url);
  const link = await invite(host);
  await stranger(t, server, room(link), 7);
  const guest = await follow(await t.profile('guest'), link);
  await reason(guest, /too many|full/i);
});

test('a signaling server that is not there is explained', {
  seconds: 60, allow: [/WebSocket connection to .* failed/, /ERR_CONNECTION_REFUSED/],
}, async (t) => {
  const server = await signalingServer();
  const host = await Player.open(await t.profile('host'), server.url);
  const link = await invite(host);
  const guestProfile = await t.profile('guest');
  // The guest's page has come; its server has not.
  const guest = await Player.open(guestProfile, server.url);
  await server.kill();
  await guest.page.evaluate((hash) => { location.hash = hash; }, new URL(link).hash);
  await reason(guest, /server|introduc/i);
  // The server comes back: the guest is let in.
  const again = t.stopping(await signalingServer({ port: server.port }));
  check(again.port === server.port, 'the same port');
  // The page may have found it by itself in the meantime.
  await guest.it('conn-retry').click({ timeout: 1000 }).catch(() => {});
  await guest.it('join-accept').waitFor({ state: 'visible', timeout: 25_000 });
});

test('a browser without WebRTC is told so', { seconds: 60 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const host = await Player.open(await t.profile('host'), server.url);
  const link = await invite(host);
  t.initScripts = [() => { delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection; }];
  const guest = await follow(await t.profile('guest'), link);
  await reason(guest, /browser/i);
});

test('damaged and unknown invitations are explained', { seconds: 60 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const player = await Player.open(await t.profile('guest'), server.url);
  const other = Buffer.concat([Buffer.from([2, 0]), randomBytes(32)]).toString('base64url');
  for (const text of ['', 'x', 'AQA', `${'A'.repeat(46)}!`, '%00%ff', 'A'.repeat(5000), other]) {
    await player.page.goto('about:blank');
    await player.page.goto(`${server.url}?ice=none&lang=en#j=${text}`);
    await player.ready();
    await player.page.getByText(/damaged|cut off|version/i).first().waitFor({ state: 'visible' });
  }
  await player.page.goto(`${server.url}?ice=none&lang=en#/table/nonsense`);
  await player.ready();
  await player.page.goto(`${server.url}?ice=none&lang=en#/table/0123456789abcdef`);
  await player.ready();
});

test('an invitation opens in a page that is already open, and the host\'s own leads him back', { seconds: 60 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const host = await Player.open(await t.profile('host'), server.url);
  const link = await invite(host);
  const guest = await Player.open(await t.profile('guest'), server.url);
  await guest.page.evaluate((hash) => { location.hash = hash; }, new URL(link).hash);
  await guest.screen('join');
  await guest.click('join-accept');
  await Promise.all([host.screen('board'), guest.screen('board')]);
  await connected(host, guest);
  await turn(host, guest);
  await host.page.goto('about:blank');
  await host.page.goto(link);
  await host.ready();
  await host.screen('board');
  await connected(host, guest);
  await equal(host, guest);
});

test('a stranger who shouts into the room changes nothing', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const hostProfile = await t.profile('host');
  const host = await Player.open(hostProfile, server.url);
  const link = await invite(host);
  const page = await stranger(t, server, room(link), 1);
  const shout = () => page.evaluate(() => {
    const [socket] = window.sockets;
    const ids = [...new Set(window.heard.map((text) => {
      const event = JSON.parse(text);
      return event.NewPeer ?? event.Signal?.sender;
    }).filter(Boolean))];
    // What others said, said again; and what nobody would say.
    const said = window.heard.map((text) => JSON.parse(text).Signal?.data).filter(Boolean);
    const rubbish = ['', 'A', 'AAAA', 'not base64!', 7, null, [], { IceCandidate: 'x' }, { Offer: 'v=0' },
      { Answer: '' }, 'A'.repeat(8000)];
    for (const receiver of ids) {
      for (const data of [...said.slice(-5), ...rubbish]) {
        socket.send(JSON.stringify({ Signal: { receiver, data } }));
      }
    }
    return ids.length;
  });
  await shout();
  const guest = await follow(await t.profile('guest'), link);
  await guest.it('join-accept').waitFor({ state: 'visible' });
  check(await shout() >= 1, 'the stranger sees others in the room');
  await guest.click('join-accept');
  await Promise.all([host.screen('board'), guest.screen('board')]);
  await connected(host, guest);
  for (let n = 0; n < 4; n += 1) {
    await shout();
    await turn(host, guest);
  }
  await connected(host, guest);
});

test('whatever the storage gives back, the page opens', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const player = await Player.open(await t.profile('both'), server.url);
  await player.click('home-local');
  await player.screen('setup', 'board');
  if (await player.it('setup-start').isVisible()) await player.click('setup-start');
  await player.screen('board');
  for (let n = 0; n < 5; n += 1) {
    await player.until(Player.acts, 'something to do');
    await player.act();
  }
  const address = player.page.url();
  const kept = await player.page.evaluate(() => Object.entries(localStorage));
  check(kept.length > 2, 'the game is kept');
  const damages = [
    () => '', () => 'null', () => '"', () => '{}', () => '[]', () => '"AAAA"',
    (text) => text.slice(0, -3), (text) => text.replace(/[A-Za-z0-9]/, 'x'), (text) => text + text,
    (text) => text.slice(0, text.length >> 1) + (text[text.length >> 1] === 'A' ? 'B' : 'A') +
      text.slice((text.length >> 1) + 1),
  ];
  for (const [n, [key]] of kept.entries()) {
    const changes = [damages[(2 * n) % 9], damages[(2 * n + 1) % 9], damages[9]];
    for (const damage of changes) {
      // Written from a page of the same origin without the site's own code, which would write back.
      await player.page.goto(`${server.url}health`);
      await player.page.evaluate(([pairs, name, text]) => {
        localStorage.clear();
        for (const [pair, value] of pairs) localStorage.setItem(pair, value);
        localStorage.setItem(name, text);
      }, [kept, key, damage(kept[n][1])]);
      await player.page.goto(address);
      await player.ready();
      await player.page.evaluate(() => { location.hash = '#/games'; });
      await player.screen('games');
    }
  }
});

test('a transcript from a file is checked by the page', { seconds: 240 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  await play(host, guest, 8);
  const whole = JSON.parse(await host.transcript());
  const records = [...whole.records];
  records[2] = records[3];
  const reader = await Player.open(await t.profile('reader'), server.url);
  await reader.page.evaluate(() => { location.hash = '#/verify'; });
  await reader.screen('verify');
  const folder = reader.profile.folder;
  const show = async (name, text) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const input = reader.it('transcript-import');
    await input.setInputFiles(file);
  };
  await show('whole.json', JSON.stringify(whole));
  await reader.waitFor('verify-result', 'result', 'ok');
  await show('changed.json', JSON.stringify({ ...whole, records }));
  await reader.waitFor('verify-result', 'result', 'fail');
  await show('whole-again.json', JSON.stringify(whole));
  await reader.waitFor('verify-result', 'result', 'ok');
  for (const [n, text] of ['', 'nonsense', '{}', '[', '{"zari":2}', '\u0000', '['.repeat(50_000)].entries()) {
    await show(`rubbish-${n}.json`, text);
    await reader.page.waitForFunction(() =>
      document.querySelector('[data-testid="verify-result"]')?.dataset.result !== 'ok');
  }
});

test('a page that cannot start says what to do', { seconds: 30, allow: [/./] }, async (t) => {
  const server = t.stopping(await signalingServer());
  for (const status of [200, 404]) {
    const profile = await t.profile(`visitor-${status}`);
    await profile.context.route('**/*.wasm', (route) =>
      route.fulfill({ status, contentType: 'application/wasm', body: 'no module' }));
    const page = await profile.page();
    await page.goto(`${server.url}?lang=en`);
    await page.getByText(/reload/i).first().waitFor({ state: 'visible' });
    await profile.context.unroute('**/*.wasm');
    await page.locator('#halted-reload').click();
    await page.waitForSelector('[data-testid="app"][data-ready="true"]', { state: 'attached' });
  }
});
