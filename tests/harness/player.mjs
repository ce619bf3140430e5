// One person in front of one page, who knows only the names that the page promises: test ids and
// data-* attributes. Clicks are real ones, at the middle of what is seen.
import { readFileSync } from 'node:fs';
import { check } from './runner.mjs';

/** Everything the board says, read in one go. Runs in the page. */
function readBoard() {
  const of = (id) => document.querySelector(`[data-testid="${id}"]`);
  const board = of('board');
  if (!board) return null;
  const ids = [...Array(24).keys()].map((n) => `point-${n + 1}`)
    .concat(['bar-white', 'bar-black', 'off-white', 'off-black']);
  const spots = {};
  for (const id of ids) {
    const it = of(id);
    if (!it) continue;
    const box = it.getBoundingClientRect();
    spots[id] = {
      count: Number(it.dataset.count),
      owner: it.dataset.owner,
      source: it.dataset.source === 'true',
      target: it.dataset.target === 'true',
      at: [box.x + box.width / 2, box.y + box.height / 2],
    };
  }
  const usable = (id) => {
    const it = of(id);
    return Boolean(it && !it.disabled && it.getClientRects().length > 0);
  };
  const buttons = ['btn-roll', 'btn-confirm', 'btn-pass', 'btn-undo', 'btn-next', 'btn-rematch'].filter(usable);
  const { phase, turn, you, position, seq } = board.dataset;
  const dice = of('dice');
  return {
    phase, turn, you, position, seq: Number(seq), spots, buttons,
    // Two ways that differ lead to one landing: the board asks which.
    choices: document.querySelectorAll('[data-testid="choice-item"]').length,
    values: dice?.dataset.values ?? '', left: dice?.dataset.left ?? '',
  };
}

export class Player {
  constructor(profile, page) {
    this.profile = profile;
    this.page = page;
    this.name = profile.name;
  }

  /** Opens a page of the site; `query` has what is to be in the address. */
  static async open(profile, url, query = {}) {
    const player = new Player(profile, await profile.page());
    await player.go(url, query);
    return player;
  }

  async go(url, query = {}) {
    const address = new URL(url);
    for (const [name, value] of Object.entries({ ice: 'none', motion: 'off', lang: 'en', ...query })) {
      if (value !== null) address.searchParams.set(name, value);
    }
    await this.page.goto(address.href);
    await this.ready();
  }

  async ready() {
    await this.page.waitForSelector('[data-testid="app"][data-ready="true"]', { state: 'attached' });
  }

  async reload() {
    await this.page.reload();
    await this.ready();
  }

  it(id) {
    return this.page.locator(`[data-testid="${id}"]`);
  }

  async click(id) {
    await this.it(id).click();
  }

  /** Waits until the page shows this screen. */
  async screen(...names) {
    const list = names.map((name) => `[data-testid="app"][data-screen="${name}"]`).join(',');
    await this.page.waitForSelector(list, { state: 'attached' });
  }

  async data(id, name) {
    return this.it(id).getAttribute(`data-${name}`);
  }

  /** Waits for a value of a data attribute. */
  async waitFor(id, name, ...values) {
    const list = values.map((value) => `[data-testid="${id}"][data-${name}="${value}"]`).join(',');
    await this.page.waitForSelector(list, { state: 'attached', timeout: 25_000 });
  }

  board() {
    return this.page.evaluate(readBoard);
  }

  /** Waits until the board fulfils `test`, a function of what `board` answers. */
  async until(test, what, milliseconds = 15_000) {
    const end = performance.now() + milliseconds;
    for (;;) {
      const board = await this.board();
      if (board && test(board)) return board;
      if (performance.now() > end) {
        const { spots, ...rest } = board ?? {};
        throw new Error(`${this.name} waits for ${what}, the board says ${JSON.stringify(rest)}`);
      }
      await this.page.waitForTimeout(15);
    }
  }

  /** Whether this page has something to do. */
  static acts(board) {
    return ['opening', 'to-roll', 'moving', 'to-confirm'].includes(board.phase) &&
      (board.buttons.length > 0 || Object.values(board.spots).some(({ source, target }) => source || target));
  }

  async tap(spot) {
    await this.page.mouse.click(...spot.at);
  }

  /** One step of whoever has the word here: a press, or one checker. Answers what was done. */
  async step(board, choose = fewestPips) {
    if (board.choices > 0) return this.takeFirstWay();
    if (board.buttons.includes('btn-confirm')) return this.press('btn-confirm', board);
    if (board.buttons.includes('btn-roll')) return this.press('btn-roll', board);
    if (board.buttons.includes('btn-pass')) return this.press('btn-pass', board);
    const targets = Object.entries(board.spots).filter(([, it]) => it.target);
    if (targets.length > 0) {
      const picked = Object.entries(board.spots).find(([, it]) => it.picked)?.[0];
      await this.tap(choose(targets, board, picked)[1]);
      return 'land';
    }
    const sources = Object.entries(board.spots).filter(([, it]) => it.source);
    check(sources.length > 0, `${this.name} has nothing to do in ${board.phase}`);
    await this.tap(choose(sources, board)[1]);
    return 'pick';
  }

  async takeFirstWay() {
    await this.it('choice-item').first().click();
    return 'choose';
  }

  async press(id) {
    const box = await this.page.evaluate((name) => {
      const it = document.querySelector(`[data-testid="${name}"]`);
      const { x, y, width, height } = it.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }, id);
    await this.page.mouse.click(...box);
    return id;
  }

  /**
   * Plays until the log of this page has grown: one roll or one play. Trial moves do not count, so
   * the board changes without the log.
   */
  async act() {
    let board = await this.until(Player.acts, 'something to do');
    const { seq } = board;
    for (let n = 0; n < 40; n += 1) {
      const before = fingerprint(board);
      // A second tap right after a change of meaning is ignored: taps again until something changes.
      for (let tries = 0; ; tries += 1) {
        await this.step(board);
        const changed = await this.until((it) => fingerprint(it) !== before, 'any change', 600)
          .catch(() => null);
        if (changed) { board = changed; break; }
        check(tries < 5, `${this.name}: nothing happens in ${before}`);
      }
      if (board.seq > seq) return board;
      if (!Player.acts(board)) {
        return this.until((it) => it.seq > seq || Player.acts(it), 'the log to grow').then((it) =>
          (it.seq > seq ? it : this.act()));
      }
    }
    throw new Error(`${this.name}: forty steps and no end of the turn`);
  }

  /** Makes a control of the table's side panel reachable: on a phone it stands in the menu. */
  async reach(id) {
    if (await this.it(id).isVisible()) return;
    await this.click('btn-menu');
    await this.it(id).waitFor({ state: 'visible' });
  }

  /** The exported transcript's text. */
  async transcript() {
    await this.reach('transcript-export');
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.click('transcript-export'),
    ]);
    return readFileSync(await download.path(), 'utf8');
  }

  async openVerification() {
    if (await this.it('verify-panel').isVisible()) return;
    await this.reach('verify-dice');
    await this.click('verify-dice');
    await this.it('verify-panel').waitFor({ state: 'visible' });
  }

  /** Opens "check the dice" and answers its result and the rolls with whether each is right. */
  async checkDice() {
    await this.openVerification();
    await this.waitFor('verify-result', 'result', 'ok', 'unproven', 'fail');
    const result = await this.data('verify-result', 'result');
    const rolls = await this.it('verify-item').evaluateAll((items) =>
      items.map(({ dataset: { seq, roll, ok } }) => ({ seq: Number(seq), roll, ok })));
    return { result, rolls };
  }
}

/** What tells two moments of a board apart. */
export function fingerprint(board) {
  const { phase, turn, position, seq, values, left, buttons, spots, choices } = board;
  const lit = Object.entries(spots).filter(([, it]) => it.source || it.target)
    .map(([id, it]) => `${id}${it.source ? 's' : ''}${it.target ? 't' : ''}`);
  return JSON.stringify([phase, turn, position, seq, values, left, buttons, lit, choices]);
}

/** The place farthest from home first, and landings that use one die: games end soon. */
function fewestPips(places, board) {
  const number = (id) => {
    if (id.startsWith('bar')) return 25;
    if (id.startsWith('off')) return 0;
    const point = Number(id.slice(6));
    return board.turn === 'white' ? point : 25 - point;
  };
  return places.toSorted(([a], [b]) => number(b) - number(a))[0];
}
