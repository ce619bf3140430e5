// Times and sizes that a player feels: node measure.mjs [rounds]
import { brotliCompressSync, constants } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Player } from './harness/player.mjs';
import { Profile } from './harness/browser.mjs';
import { dist } from './harness/paths.mjs';
import { signalingServer } from './harness/servers.mjs';
import { invite } from './harness/table.mjs';

const rounds = Number(process.argv[2] ?? 5);
const faults = [];
const watch = { initScripts: [], fault: (text) => faults.push(text), note: () => {} };
const server = await signalingServer();
const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const profiles = [];
const profile = async (name) => {
  const it = await new Profile(watch, name, {}).start();
  profiles.push(it);
  return it;
};

const connecting = [];
const rolling = [];
const loading = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    const host = await Player.open(await profile('host'), server.url);
    const link = await invite(host);
    const guest = new Player(await profile('guest'), undefined);
    guest.page = await guest.profile.page();

    // Link opened: the address is given to the browser. The guest accepts as soon as he can.
    let started = performance.now();
    await guest.page.goto(link);
    await guest.ready();
    loading.push(performance.now() - started);
    await guest.it('join-accept').click();
    await Promise.all([host, guest].map((it) => it.waitFor('conn-status', 'state', 'connected')));
    connecting.push(performance.now() - started);

    // Roll pressed: until this page's board shows dice.
    for (let turn = 0; turn < 8; turn += 1) {
      const boards = await Promise.all([host.board(), guest.board()]);
      const who = boards.findIndex((board) => board && Player.acts(board));
      if (who < 0) { await host.page.waitForTimeout(20); continue; }
      const player = [host, guest][who];
      if (boards[who].buttons.includes('btn-roll')) {
        rolling.push(await player.page.evaluate(() => new Promise((resolve) => {
          const board = document.querySelector('[data-testid="board"]');
          const button = document.querySelector('[data-testid="btn-roll"]');
          const pressed = performance.now();
          new MutationObserver((_, observer) => {
            if (['moving', 'to-confirm', 'waiting'].includes(board.dataset.phase)) {
              observer.disconnect();
              resolve(performance.now() - pressed);
            }
          }).observe(board, { attributes: true });
          button.click();
        })));
        await player.page.waitForTimeout(400);
      } else await player.act();
    }
    await Promise.all(profiles.splice(0).map((it) => it.discard()));
  }

  // First load: every response of the first visit, as it would come with brotli.
  const fresh = await profile('fresh');
  const page = await fresh.page();
  const files = new Map();
  page.on('response', (response) => {
    const url = new URL(response.url());
    if (url.protocol.startsWith('http') && response.status() === 200) files.set(url.pathname, response.request());
  });
  await page.goto(`${server.url}?ice=none&lang=en`);
  await page.waitForSelector('[data-testid="app"][data-ready="true"]', { state: 'attached' });
  const rows = [];
  for (const [path, request] of files) {
    const file = join(dist, path === '/' ? 'index.html' : path);
    let brotli;
    try {
      brotli = readFileSync(`${file}.br`).length;
    } catch {
      const bytes = readFileSync(file);
      brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    }
    const sizes = await request.sizes();
    rows.push({ path, bytes: readFileSync(file).length, brotli, sent: sizes.responseBodySize });
  }
  const show = (list) => `median ${middle(list).toFixed(0)} ms, worst ${Math.max(...list).toFixed(0)} ms, ${list.length} times`;
  console.log(`page load of the guest          ${show(loading)}`);
  console.log(`link opened -> connected        ${show(connecting)}`);
  console.log(`Roll pressed -> dice on screen  ${show(rolling)}`);
  console.log('first load, by file:                              bytes    brotli   sent');
  for (const { path, bytes, brotli, sent } of rows.toSorted((a, b) => b.brotli - a.brotli)) {
    console.log(`  ${path.padEnd(46)} ${String(bytes).padStart(8)} ${String(brotli).padStart(8)} ${String(sent).padStart(8)}`);
  }
  const total = rows.reduce((sum, { brotli }) => sum + brotli, 0);
  console.log(`  ${'all'.padEnd(46)} ${''.padStart(8)} ${String(total).padStart(8)}`);
  for (const fault of faults) console.log(`fault: ${fault}`);
} finally {
  await Promise.all(profiles.map((it) => it.discard()));
  await server.stop();
}
