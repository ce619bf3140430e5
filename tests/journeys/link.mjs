// Two people, two browsers, one link.
import { Player } from '../harness/player.mjs';
import { check, same, test } from '../harness/runner.mjs';
import { signalingServer, staticHost } from '../harness/servers.mjs';
import { connected, equal, follow, invite, isOver, meet, play, turn, verdict } from '../harness/table.mjs';

test('a whole game over the link, proven by everybody', { seconds: 240 }, async (t) => {
  const server = t.stopping(await signalingServer());
  // The host at a desk, the guest on a phone.
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const { host, guest } = await meet(t, server.url, { guest: phone });
  const end = await play(host, guest);
  check(isOver(end), 'the game is over');
  same(end.spots[`off-${end.turn}`].count, 15, 'the winner has borne off');

  for (const player of [host, guest]) {
    await player.it('result').waitFor({ state: 'visible' });
    check(['white', 'black'].includes(await player.data('result', 'winner')), 'there is a winner');
    check(Number(await player.data('result', 'points')) >= 1, 'the result counts');
    check(['single', 'gammon', 'backgammon'].includes(await player.data('result', 'kind')), 'a kind of win');
  }
  same(await guest.data('result', 'winner'), await host.data('result', 'winner'), 'the winner');

  // With the result on the screen, all that proves it is within reach.
  const texts = [];
  const rolls = [];
  for (const player of [host, guest]) {
    texts.push(JSON.parse(await player.transcript()));
    const dice = await player.checkDice();
    same(dice.result, 'ok', 'the dice are proven');
    check(dice.rolls.length > 20, `only ${dice.rolls.length} rolls are listed`);
    check(dice.rolls.every(({ ok, roll }) => ok === 'true' && /^[1-6],[1-6]$/.test(roll)), 'every roll is right');
    rolls.push(dice.rolls);
  }
  same(rolls[1], rolls[0], 'the rolls of both pages');
  same(texts[1], texts[0], 'the logs of both pages');
  same(texts[0].records.length, end.seq, 'the whole log is exported');
  same(await verdict(JSON.stringify(texts[0])), 'AGREED', 'the verdict');

  // One record less, one byte changed: both verifiers see it.
  const shorter = { ...texts[0], records: texts[0].records.slice(0, -1) };
  same(await verdict(JSON.stringify(shorter)), 'INCOMPLETE', 'without the last record');
  const records = texts[0].records.map((record, n) =>
    (n === 3 ? record.slice(0, 20) + (record[20] === 'A' ? 'B' : 'A') + record.slice(21) : record));
  check((await verdict(JSON.stringify({ ...texts[0], records }))).startsWith('INVALID 3 '), 'a changed byte');
});

test('a new round needs both', { seconds: 240 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  const end = await play(host, guest);
  // The host only wishes: the guest's page shows it, and nothing begins before the guest agrees.
  await host.it('btn-rematch').waitFor({ state: 'visible' });
  await host.click('btn-rematch');
  await host.page.waitForSelector('[data-testid="btn-rematch"]:disabled');
  await guest.page.getByText(/would like|play on|another|wants/i).first().waitFor({ state: 'visible' });
  same((await guest.board()).seq, end.seq, 'nothing was written yet');
  await guest.click('btn-rematch');
  await host.until(({ phase, seq }) => phase === 'opening' && seq > end.seq, 'the next opening');
  same(await host.data('score', 'white'), '0', 'a new score');
  for (let n = 0; n < 4; n += 1) await turn(host, guest);
});

/** The parts of a board that survive a reload. */
const kept = ({ turn, position, seq, values }) => ({ turn, position, seq, values });

/** Reloads one side: the same board at once, connected again, and both still agree. */
async function reloads(player, host, guest) {
  const before = await equal(host, guest);
  await player.reload();
  await player.screen('board');
  const after = await player.until(() => true, 'a board');
  same(kept(after), kept(before), `${player.name}'s board after a reload`);
  await connected(host, guest);
  await equal(host, guest);
}

test('either side reloads at the opening, before a roll and after confirming', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  await reloads(host, host, guest);
  await reloads(guest, host, guest);
  await turn(host, guest); // the opening roll
  await reloads(host, host, guest);
  await reloads(guest, host, guest);
  for (let n = 0; n < 2; n += 1) {
    await turn(host, guest); // a play: the other is to roll now
    await reloads(host, host, guest);
    await reloads(guest, host, guest);
    await turn(host, guest); // a roll
    await reloads(guest, host, guest);
    await reloads(host, host, guest);
  }
});

test('either side reloads in the middle of a turn', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  for (let n = 0; n < 3; n += 1) {
    let board = await turn(host, guest);
    while (board.phase !== 'moving' && (await guest.board()).phase !== 'moving') board = await turn(host, guest);
    const mover = (await host.board()).phase === 'moving' ? host : guest;
    const other = mover === host ? guest : host;
    const before = kept(await mover.board());
    // One checker on trial: it never leaves this device.
    const seen = kept(await other.board());
    for (let tries = 0; tries < 12 && (await mover.board()).position === before.position; tries += 1) {
      const now = await mover.board();
      if (!Player.acts(now) || now.phase !== 'moving') break;
      await mover.step(now);
      await mover.page.waitForTimeout(380);
    }
    same(kept(await other.board()), seen, 'a trial move is not seen by the other side');
    await mover.reload();
    await mover.screen('board');
    const after = await mover.until(() => true, 'a board');
    same([after.values, after.seq, after.turn], [before.values, before.seq, before.turn], 'the same dice');
    await connected(host, guest);
    await other.reload();
    await other.screen('board');
    await connected(host, guest);
    await turn(host, guest);
  }
});

test('a reload in the very moment of confirming loses nothing', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  for (let n = 0; n < 6; n += 1) {
    const boards = await Promise.all([host.board(), guest.board()]);
    const mover = Player.acts(boards[0]) ? host : guest;
    await mover.act();
    await (n % 2 === 0 ? mover : mover === host ? guest : host).reload();
    await Promise.all([host.screen('board'), guest.screen('board')]);
    await connected(host, guest);
    await equal(host, guest);
    await Promise.race([host, guest].map((player) => player.until(Player.acts, 'something to do')));
  }
});

test('both close their browsers and come back', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest, link } = await meet(t, server.url);
  for (let n = 0; n < 5; n += 1) await turn(host, guest);
  const before = await equal(host, guest);
  await Promise.all([host.profile.close(), guest.profile.close()]);

  await Promise.all([host.profile.start(), guest.profile.start()]);
  const hostAgain = await Player.open(host.profile, server.url);
  await hostAgain.click('home-resume');
  await hostAgain.screen('board');
  // The guest opens the invitation once more: it leads to his table.
  const guestAgain = await follow(guest.profile, link);
  await guestAgain.screen('board');
  await connected(hostAgain, guestAgain);
  same(kept(await equal(hostAgain, guestAgain)), kept(before), 'the board after both came back');
  for (let n = 0; n < 4; n += 1) await turn(hostAgain, guestAgain);
});

test('a third browser is told that the game is taken, and the players notice nothing', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest, link } = await meet(t, server.url);
  await turn(host, guest);
  const states = await Promise.all([host, guest].map(watchStates));
  const third = await follow(await t.profile('third'), link);
  await third.page.getByText(/is taken/i).first().waitFor({ state: 'visible' });
  same(await third.it('board').count(), 0, 'the third browser shows no board');
  for (let n = 0; n < 4; n += 1) await turn(host, guest);
  for (const state of states) same(await state(), [], 'the connection of a player changed');
});

test('a third browser is told that the host is not here', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest, link } = await meet(t, server.url);
  await turn(host, guest);
  await host.profile.close();
  const third = await follow(await t.profile('third'), link);
  await third.page.getByText(/host isn.t here/i).first().waitFor({ state: 'visible', timeout: 30_000 });
  same(await third.it('board').count(), 0, 'the third browser shows no board');
});

/** Records every state of the connection that is not "connected"; answers a function that lists them. */
async function watchStates(player) {
  await player.page.evaluate(() => {
    const status = document.querySelector('[data-testid="conn-status"]');
    window.seenStates = [];
    new MutationObserver(() => {
      if (status.dataset.state !== 'connected') window.seenStates.push(status.dataset.state);
    }).observe(status, { attributes: true });
  });
  return () => player.page.evaluate(() => window.seenStates);
}

// The browser itself complains on the console about each websocket that cannot be opened.
const NO_SERVER = { allow: [/WebSocket connection to .* failed/, /ERR_CONNECTION_REFUSED/] };

test('the game goes on when the signaling server is killed', { seconds: 120, ...NO_SERVER }, async (t) => {
  const server = await signalingServer();
  t.stopping({ stop: server.kill });
  const { host, guest } = await meet(t, server.url);
  await turn(host, guest);
  await server.kill();
  for (let n = 0; n < 12; n += 1) await turn(host, guest);
  for (const player of [host, guest]) same(await player.data('conn-status', 'state'), 'connected', player.name);
});

test('the game meets again after the signaling server was away', { seconds: 120, ...NO_SERVER }, async (t) => {
  const server = await signalingServer();
  const { host, guest } = await meet(t, server.url);
  for (let n = 0; n < 3; n += 1) await turn(host, guest);
  await server.kill();
  const again = t.stopping(await signalingServer({ port: server.port }));
  same(again.port, server.port, 'the port of the new server');
  await reloads(guest, host, guest);
  await turn(host, guest);
});

test('the language is switched in the middle of a game', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const { host, guest } = await meet(t, server.url);
  for (let n = 0; n < 3; n += 1) await turn(host, guest);
  const before = await equal(host, guest);
  const names = new Set();
  for (const lang of ['ru', 'ka', 'en', 'ru']) {
    if (!(await host.it(`lang-${lang}`).isVisible())) await host.click('btn-menu');
    await host.click(`lang-${lang}`);
    await host.waitFor('app', 'lang', lang);
    same(await host.page.evaluate(() => document.documentElement.lang), lang, 'the language of the document');
    names.add(await host.it('board').getAttribute('aria-label'));
    same(kept(await host.board()), kept(before), `the board in ${lang}`);
    same(await host.data('conn-status', 'state'), 'connected', 'still connected');
  }
  same(names.size, 3, 'the board has a name in each language');
  await host.page.keyboard.press('Escape');
  for (let n = 0; n < 3; n += 1) await turn(host, guest);
  await host.reload();
  same(await host.data('app', 'lang'), 'en', 'the address names a language');
});

test('the joining player reads the rules first, and a cancelled invitation is dead', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const host = await Player.open(await t.profile('host'), server.url);
  const link = await invite(host);
  check(new URL(link).hash.startsWith('#j='), 'the secret stands behind #');
  const guest = await follow(await t.profile('guest'), link);
  await guest.screen('join');
  await guest.it('join-accept').waitFor({ state: 'visible' });
  check(!guest.page.url().includes('#j='), 'the secret is gone from the address bar');
  const words = await guest.page.locator('main').innerText().catch(() => guest.page.locator('body').innerText());
  check(/1|one/i.test(words), 'the length of the match is shown');
  await host.click('invite-cancel');
  await host.screen('home');
});

test('a game from a plain static host under /zari/ with a server elsewhere', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const host = t.stopping(await staticHost('/zari/'));
  const table = await meet(t, host.url, { query: { signal: server.signal } });
  check(new URL(table.link).pathname === '/zari/', 'the invitation keeps the path');
  for (let n = 0; n < 6; n += 1) await turn(table.host, table.guest);
  await reloads(table.guest, table.host, table.guest);
});

test('the server itself serves the site under /zari/', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer({ base: '/zari/' }));
  const { host, guest } = await meet(t, server.url);
  for (let n = 0; n < 4; n += 1) await turn(host, guest);
});
