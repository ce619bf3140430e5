// Two people on one device.
import { Player } from '../harness/player.mjs';
import { check, same, test } from '../harness/runner.mjs';
import { signalingServer, staticHost } from '../harness/servers.mjs';
import { isOver, verdict } from '../harness/table.mjs';

/** From the home screen to the board. */
async function begin(player) {
  await player.click('home-local');
  await player.screen('setup', 'board');
  if (await player.it('setup-start').isVisible()) await player.click('setup-start');
  await player.screen('board');
  return player;
}

async function playing(t, options = {}, query = {}) {
  const server = t.stopping(await signalingServer());
  const player = await Player.open(await t.profile('both', options), server.url, query);
  return begin(player);
}

async function playOn(player, limit = 2000) {
  for (let n = 0; n < limit; n += 1) {
    const board = await player.until((it) => Player.acts(it) || isOver(it), 'something to do');
    if (isOver(board)) return board;
    await player.act();
  }
  return player.board();
}

const kept = ({ turn, position, seq, values }) => ({ turn, position, seq, values });

test('a whole game on one device, saved at every entry', { seconds: 180 }, async (t) => {
  const player = await playing(t);
  same((await player.board()).you, 'both', 'both sides sit here');
  for (let n = 0; n < 8; n += 1) {
    await playOn(player, 1);
    if (n % 2 === 0) {
      const before = await player.until((it) => Player.acts(it), 'something to do');
      await player.reload();
      await player.screen('board');
      same(kept(await player.until(() => true, 'a board')), kept(before), 'the board after a reload');
    }
  }
  const end = await playOn(player);
  check(isOver(end), 'the game is over');
  same(end.spots[`off-${end.turn}`].count, 15, 'the winner has borne off');
  await player.it('result').waitFor({ state: 'visible' });
  const text = await player.transcript();
  same(await verdict(text), 'UNPROVEN', 'both chains were on one device');
  same((await player.checkDice()).result, 'unproven', 'the page says so too');
});

test('a saved game is found again and can be deleted', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  await playOn(player, 5);
  const before = await player.board();
  const { pathname, origin } = new URL(player.page.url());
  await player.go(origin + pathname);
  await player.screen('home');
  await player.click('home-resume');
  await player.screen('board');
  same(kept(await player.until(() => true, 'a board')), kept(before), 'the resumed board');
  await player.page.goto(`${origin}${pathname}?ice=none&motion=off&lang=en#/games`);
  await player.screen('games');
  same(await player.it('games-item').count(), 1, 'one saved game');
  await player.it('game-delete').first().click();
  await player.it('game-delete-confirm').first().click();
  await player.it('games-item').waitFor({ state: 'detached' });
});

test('play goes on when the storage throws, and a banner says so', { seconds: 90 }, async (t) => {
  t.initScripts = [() => {
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  }];
  const player = await playing(t);
  await playOn(player, 12);
  const board = await player.board();
  check(board.seq >= 12, 'the game goes on');
  const text = await player.page.locator('body').innerText();
  check(/cannot be (resumed|saved|kept)|can.t be (resumed|saved|kept)|not (be )?(saved|kept)|will be lost/i.test(text),
    `no banner in ${JSON.stringify(text.slice(0, 400))}`);
});

test('play goes on when there is no storage at all', { seconds: 60 }, async (t) => {
  t.initScripts = [() => {
    Object.defineProperty(window, 'localStorage', {
      get() { throw new DOMException('denied', 'SecurityError'); },
    });
  }];
  const player = await playing(t);
  await playOn(player, 6);
  check((await player.board()).seq >= 6, 'the game goes on');
});

test('same-device play with the network off after one visit', {
  seconds: 90, allow: [/ERR_INTERNET_DISCONNECTED/, /ERR_CONNECTION_REFUSED/, /Failed to load resource/],
}, async (t) => {
  for (const base of ['/', '/zari/']) {
    const server = await staticHost(base);
    const profile = await t.profile(base === '/' ? 'root' : 'below');
    const player = await Player.open(profile, server.url);
    await player.waitFor('offline-badge', 'ready', 'true');
    await server.stop();
    await profile.context.setOffline(true);
    await player.reload();
    await begin(player);
    await playOn(player, 10);
    const before = await player.until((it) => Player.acts(it), 'something to do');
    await player.reload();
    await player.screen('board');
    same(kept(await player.until(() => true, 'a board')), kept(before), 'the board after an offline reload');
    await playOn(player, 4);
    for (const lang of ['ka', 'ru']) {
      await player.go(server.url, { lang });
      await player.waitFor('app', 'lang', lang);
    }
  }
});

/** The board when somebody has checkers to move. */
const moving = async (player) => {
  for (;;) {
    const board = await player.until((it) => Player.acts(it) || isOver(it), 'something to do');
    if (board.phase === 'moving') return board;
    await player.act();
  }
};

test('checkers are dragged', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { mouse } = player.page;
  for (let drags = 0; drags < 6;) {
    let board = await moving(player);
    const before = board.position;
    const [from] = Object.entries(board.spots).filter(([, it]) => it.source)
      .toSorted(([a], [b]) => a.localeCompare(b));
    await mouse.move(...from[1].at);
    await mouse.down();
    await mouse.move(from[1].at[0] + 8, from[1].at[1] + 8, { steps: 3 });
    board = await player.until((it) => Object.values(it.spots).some(({ target }) => target), 'a landing');
    const [, to] = Object.entries(board.spots).find(([, it]) => it.target);
    await mouse.move(...to.at, { steps: 4 });
    await mouse.up();
    const moved = (it) => it.position !== before || it.phase !== 'moving';
    board = await player.until((it) => moved(it) || it.choices > 0, 'a moved checker');
    if (board.choices > 0) {
      await player.takeFirstWay();
      board = await player.until(moved, 'a moved checker');
    }
    drags += 1;
    if (board.phase === 'to-confirm') await player.act();
  }
});

test('a whole turn by the keyboard alone', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { keyboard } = player.page;
  for (let turns = 0; turns < 4; turns += 1) {
    let board = await player.until((it) => Player.acts(it), 'something to do');
    const { seq } = board;
    for (let n = 0; n < 40 && board.seq === seq; n += 1) {
      if (['opening', 'to-roll'].includes(board.phase)) await keyboard.press('r');
      else if (board.phase === 'to-confirm') await keyboard.press('c');
      else if (board.choices > 0) {
        await player.it('choice-item').first().focus();
        await keyboard.press('Enter');
      } else {
        const target = Object.entries(board.spots).find(([, it]) => it.target);
        const [id] = target ?? Object.entries(board.spots).find(([, it]) => it.source);
        await player.it(id).focus();
        await keyboard.press('Enter');
      }
      await player.page.waitForTimeout(380);
      board = await player.until((it) => Player.acts(it) || it.seq > seq, 'something to do');
    }
    check(board.seq > seq, 'the turn is over');
  }
  const board = await moving(player);
  const [id] = Object.entries(board.spots).find(([, it]) => it.source && it.owner === board.turn) ?? [];
  if (id) {
    await player.it(id).focus();
    await keyboard.press('ArrowLeft');
    const focus = await player.page.evaluate(() => document.activeElement?.dataset.testid);
    check(focus && focus !== id, `arrows move between points: ${focus}`);
  }
});

test('undo takes a trial move back', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const board = await moving(player);
  for (const undo of [() => player.click('btn-undo'), () => player.page.keyboard.press('u')]) {
    let now = board;
    while (now.position === board.position) {
      await player.step(now);
      now = await player.until((it) => it.position !== board.position || it.phase !== 'moving' ||
        Object.values(it.spots).some(({ target }) => target), 'a change');
      await player.page.waitForTimeout(100);
    }
    await undo();
    const back = await player.until((it) => it.position === board.position, 'the checker back');
    same(back.left, board.left, 'both dice are there again');
  }
});

test('a double tap neither rolls nor confirms by accident', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const before = await player.until((it) => it.buttons.includes('btn-roll'), 'the first roll');
  const box = await player.it('btn-roll').boundingBox();
  await player.page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
  const board = await player.until((it) => it.phase === 'moving', 'the opening roll');
  same(board.seq, before.seq + 2, 'exactly the opening: a roll and a reveal');
});

/** The opening roll, with its two dice. */
async function opened(player) {
  const board = await moving(player);
  return { board, dice: board.values.split(',').map(Number) };
}

/** A point by its number in the view of the side on turn. */
const point = (board, number) => `point-${board.turn === 'white' ? number : 25 - number}`;

test('a play is typed in notation', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { board, dice } = await opened(player);
  const input = player.it('move-input');
  await input.fill('24/1');
  await input.press('Enter');
  same((await player.board()).position, board.position, 'an illegal play changes nothing');
  // Of the opening position: every die but the one plays from the midpoint.
  await input.fill(dice.map((die) => (die === 1 ? '8/7' : `13/${13 - die}`)).join(' '));
  await input.press('Enter');
  await player.until((it) => it.seq > board.seq || it.phase === 'to-confirm', 'the typed play');
  if ((await player.board()).seq === board.seq) await player.act();
  const line = await player.it('move-item').first().innerText();
  check(line.includes('13/') || line.includes('8/7'), `the record of moves shows it: ${line}`);
});

test('a second tap plays the larger die, the right button the other one', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { board, dice } = await opened(player);
  const [larger, smaller] = dice.toSorted((a, b) => b - a);
  // From the midpoint every opening die but the one is open.
  const from = point(board, 13);
  await player.it(from).click();
  await player.until((it) => Object.values(it.spots).some(({ target }) => target), 'lit landings');
  await player.page.waitForTimeout(400);
  await player.it(from).click();
  let now = await player.until((it) => it.position !== board.position, 'the larger die');
  same(now.left, String(smaller), 'the smaller die is left');
  await player.click('btn-undo');
  await player.until((it) => it.position === board.position, 'the checker back');
  if (smaller !== 1) {
    await player.it(from).click({ button: 'right' });
    now = await player.until((it) => it.position !== board.position, 'the smaller die');
    same(now.left, String(larger), 'the larger die is left');
  }
});

test('the dice area rolls, swaps and confirms, and space does the same', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  await player.page.evaluate(() => document.activeElement?.blur());
  // A tap within 350 ms of a change of meaning is ignored, the first one of a table too.
  await player.page.waitForTimeout(400);
  await player.page.keyboard.press('Space');
  let board = await player.until((it) => it.phase === 'moving', 'the opening roll');
  const [first] = board.left.split(',');
  await player.page.waitForTimeout(400);
  await player.it('dice').click();
  board = await player.until((it) => it.left.split(',')[0] !== first, 'the dice swapped');
  await player.page.waitForTimeout(400);
  await player.page.keyboard.press('x');
  board = await player.until((it) => it.left.split(',')[0] === first, 'the dice swapped back');
  const { seq } = board;
  while (board.phase === 'moving') {
    const before = board.position;
    await player.step(board);
    board = await player.until((it) => it.position !== before || it.phase !== 'moving' ||
      Object.values(it.spots).some(({ target }) => target), 'a change');
    await player.page.waitForTimeout(60);
    board = await player.board();
  }
  await player.page.waitForTimeout(400);
  await player.it('dice').click();
  board = await player.until((it) => it.seq > seq, 'the play confirmed');
  same(board.phase, 'to-roll', 'the other side is to roll');
});

test('a refused try says why and Escape puts a checker back', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { board } = await opened(player);
  const said = await player.it('status').innerText();
  await player.it(point(board, 12)).click({ force: true }); // five of the other side
  await player.page.waitForFunction(
    (before) => document.querySelector('[data-testid="status"]').innerText !== before, said);
  same((await player.board()).position, board.position, 'nothing moved');
  await player.it(point(board, 13)).click();
  await player.until((it) => Object.values(it.spots).some(({ target }) => target), 'lit landings');
  await player.page.keyboard.press('Escape');
  await player.until((it) => !Object.values(it.spots).some(({ target }) => target), 'no landing is lit');
});

test('nothing lies over a control of the board', { seconds: 60 }, async (t) => {
  const player = await playing(t);
  const { board } = await opened(player);
  const ids = [...Object.keys(board.spots).filter((id) => id.startsWith('point-')),
    'dice', 'verify-dice', 'btn-settings', 'btn-help', 'lang-ka', 'move-input'];
  const covered = await player.page.evaluate((list) => list.map((id) => {
    const it = document.querySelector(`[data-testid="${id}"]`);
    const { x, y, width, height } = it.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return it.contains(top) ? null : `${top?.outerHTML.slice(0, 80)} lies over ${id}`;
  }).filter(Boolean), ids);
  same(covered, [], 'controls that cannot be pressed');
});
