// What every screen must keep to, at every size and in every language.
import { Player } from '../harness/player.mjs';
import { check, same, test } from '../harness/runner.mjs';
import { signalingServer } from '../harness/servers.mjs';

const SIZES = [
  { width: 360, height: 640, touch: true },
  { width: 390, height: 844, touch: true },
  { width: 844, height: 390, touch: true },
  { width: 768, height: 1024, touch: true },
  { width: 1440, height: 900, touch: false },
];

/** Everything wrong with the sizes of what is seen. Runs in the page. */
function misfits(touch) {
  const wrong = [];
  const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth) wrong.push(`the page is ${scrollWidth} wide in ${clientWidth}`);
  const app = document.querySelector('[data-testid="app"]');
  const board = app.dataset.screen === 'board';
  if (board && scrollHeight > clientHeight) wrong.push(`the page is ${scrollHeight} high in ${clientHeight}`);
  const name = (it) => it.dataset.testid ?? `${it.localName} ${it.textContent.trim().slice(0, 30)}`;
  for (const it of document.querySelectorAll('button, a[href], input, select, textarea, [role="button"]')) {
    const { x, y, width, height } = it.getBoundingClientRect();
    if (width === 0 || height === 0 || getComputedStyle(it).visibility === 'hidden') continue;
    if (it.closest('[inert]') || it.type === 'file') continue;
    const id = it.dataset.testid ?? '';
    if (/^point-/.test(id)) {
      const [least, long] = [Math.min(width, height), Math.max(width, height)];
      const small = clientWidth === 360;
      if (touch && (least < (small ? 35.5 : 43.5) || long < (small ? 119.5 : 43.5))) {
        wrong.push(`${id} is ${width.toFixed(1)} x ${height.toFixed(1)}`);
      }
    } else if (touch && !/^(bar|off)-/.test(id)) {
      const area = it.matches('input[type="checkbox"], input[type="radio"]')
        ? (it.closest('label') ?? it).getBoundingClientRect() : { width, height };
      if (area.width < 43.5 || area.height < 43.5) {
        // A link in a line of text may be as high as the line.
        if (!(it.localName === 'a' && getComputedStyle(it).display === 'inline')) {
          wrong.push(`${name(it)} is ${area.width.toFixed(1)} x ${area.height.toFixed(1)}`);
        }
      }
    }
    if (!board && (x < -0.5 || x + width > clientWidth + 0.5) && !it.closest('[data-scrolls]')) {
      wrong.push(`${name(it)} reaches out of the window`);
    }
    if (board && (x < -0.5 || y < -0.5 || x + width > clientWidth + 0.5 || y + height > clientHeight + 0.5) &&
      !it.closest('[data-scrolls], dialog, [role="dialog"]')) {
      wrong.push(`${name(it)} is out of the window`);
    }
  }
  const status = document.querySelector('[data-testid="status"]');
  if (board && status && status.scrollHeight > status.clientHeight + 1) {
    wrong.push(`the status line is cut: ${status.textContent}`);
  }
  return wrong;
}

/** What has no name for a screen reader, and ids that are not unique. Runs in the page. */
function nameless() {
  const wrong = [];
  for (const it of document.querySelectorAll('button, a[href], input, select, [role="group"], [role="dialog"]')) {
    if (it.getClientRects().length === 0) continue;
    const labels = [...(it.labels ?? [])].map((label) => label.textContent).join('');
    const by = (it.getAttribute('aria-labelledby') ?? '').split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? '').join('');
    const name = it.getAttribute('aria-label') || by || labels || it.textContent || it.title || it.placeholder;
    if (!name?.trim()) wrong.push(`${it.dataset.testid ?? it.outerHTML.slice(0, 80)} has no name`);
  }
  const seen = new Map();
  for (const { dataset: { testid } } of document.querySelectorAll('[data-testid]')) {
    seen.set(testid, (seen.get(testid) ?? 0) + 1);
  }
  for (const [id, count] of seen) {
    const many = /-item$|^game-|^hint-|^verify-explain/.test(id);
    if (count > 1 && !many) wrong.push(`${count} elements are called ${id}`);
  }
  return wrong;
}

/** All texts that a person sees or hears. Runs in the page. */
function texts() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (parentElement.closest('script, style, [lang]:not([data-testid="app"]):not(html):not(body)')) continue;
    if (textContent.trim()) found.push(textContent.trim());
  }
  for (const it of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
    if (it.closest('[lang]:not([data-testid="app"]):not(html):not(body)')) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const value = it.getAttribute(name);
      if (value?.trim()) found.push(value.trim());
    }
  }
  return [...found, document.title];
}

/** Words that are the same in every language: names, keys, notation, hashes. */
const NAMES = /zari( verify)?|\b[0-9a-f]{16,}\b|\b(esc|enter|tab|backspace|space)\b|bar\/\d+|\d+\/off|gnu|webrtc|xgid|json|https?:\S+|\S+#\S+|wi-?fi|qr|mit|apache|ed25519|sha-?256|hkdf|v?\d[\d.]*/gi;

/** Texts in letters of another alphabet, and keys that were never translated. */
function untranslated(list, lang) {
  const foreign = { ru: /[a-z]{2,}/i, ka: /[a-zа-я]{2,}/i, en: /[а-яა-ჰ]{2,}/i }[lang];
  return list.filter((text) => {
    const rest = text.replace(NAMES, ' ');
    return foreign.test(rest) || /^[a-z]+[_.][a-z_.]+$/.test(text) || /\{\{|\}\}|undefined|NaN/.test(text);
  });
}

async function begin(player) {
  await player.click('home-local');
  await player.screen('setup', 'board');
  if (await player.it('setup-start').isVisible()) await player.click('setup-start');
  await player.screen('board');
}

const SCREENS = ['', '#/settings', '#/help', '#/games', '#/verify'];

test('every screen fits every window', { seconds: 150 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const wrong = [];
  await Promise.all(SIZES.map(async ({ width, height, touch }) => {
    const name = `${width}x${height}`;
    const profile = await t.profile(name, { viewport: { width, height }, hasTouch: touch, isMobile: false });
    const player = await Player.open(profile, server.url, { lang: 'ru' });
    const look = async (where) => {
      for (const text of await player.page.evaluate(misfits, touch)) wrong.push(`${name} ${where}: ${text}`);
      for (const text of await player.page.evaluate(nameless)) wrong.push(`${name} ${where}: ${text}`);
    };
    for (const lang of ['en', 'ka', 'ru']) {
      await player.click(`lang-${lang}`);
      await player.waitFor('app', 'lang', lang);
      for (const fragment of SCREENS) {
        await player.page.evaluate((hash) => { location.hash = hash; }, fragment || '#/');
        await player.screen({ '': 'home' }[fragment] ?? fragment.slice(2));
        await look(`${fragment || 'home'} ${lang}`);
      }
    }
    await player.page.evaluate(() => { location.hash = '#/'; });
    await player.screen('home');
    await player.click('home-local');
    await player.screen('setup', 'board');
    if (await player.it('setup-start').isVisible()) {
      await look('setup');
      await player.click('setup-start');
    }
    await player.screen('board');
    await player.until((it) => it.buttons.includes('btn-roll'), 'the first roll');
    await look('board, to roll');
    await player.act();
    await player.until((it) => it.phase === 'moving', 'checkers to move');
    await look('board, moving');
    for (let n = 0; n < 30 && (await player.board()).phase !== 'to-confirm'; n += 1) {
      await player.step(await player.until(Player.acts, 'something to do'));
      await player.page.waitForTimeout(120);
    }
    await look('board, to confirm');
  }));
  check(wrong.length === 0, `\n    ${[...new Set(wrong)].slice(0, 40).join('\n    ')}`);
});

test('nothing jumps between turns', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
    const player = await Player.open(await t.profile(`w${viewport.width}`, { viewport }), server.url);
    await begin(player);
    await player.until(Player.acts, 'something to do');
    await player.page.evaluate(() => {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const what = entry.sources.map(({ node }) =>
            node?.dataset?.testid ?? node?.className ?? node?.nodeName).join(' ');
          window.shifts.push([entry.value, what]);
        }
      }).observe({ type: 'layout-shift', buffered: false });
    });
    for (let n = 0; n < 10; n += 1) await player.act();
    const shifts = await player.page.evaluate(() => window.shifts);
    const sum = shifts.reduce((total, [value]) => total + value, 0);
    check(sum <= 0.02, `${viewport.width}: the layout shifts by ${sum.toFixed(3)}: ${JSON.stringify(shifts.slice(0, 5))}`);
  }
});

test('every text is in the chosen language', { seconds: 120 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const wrong = [];
  for (const lang of ['ru', 'ka', 'en']) {
    const player = await Player.open(await t.profile(lang), server.url, { lang });
    same(await player.data('app', 'lang'), lang, 'the language of the page');
    const read = async (where) => {
      for (const text of untranslated(await player.page.evaluate(texts), lang)) {
        wrong.push(`${lang} ${where}: ${JSON.stringify(text.slice(0, 90))}`);
      }
    };
    for (const fragment of SCREENS) {
      await player.page.evaluate((hash) => { location.hash = hash; }, fragment || '#/');
      await player.screen({ '': 'home' }[fragment] ?? fragment.slice(2));
      await read(fragment || 'home');
    }
    await player.page.evaluate(() => { location.hash = '#/'; });
    await player.screen('home');
    await player.click('home-invite');
    await player.screen('setup');
    await read('setup');
    await player.click('setup-start');
    await player.screen('invite');
    await player.it('invite-link').waitFor({ state: 'visible' });
    await read('invite');
    await player.page.evaluate(() => { location.hash = '#/'; });
    await player.screen('home');
    await begin(player);
    for (let n = 0; n < 6; n += 1) {
      await player.until(Player.acts, 'something to do');
      await read('board');
      await player.act();
    }
    await player.checkDice();
    await read('check the dice');
  }
  check(wrong.length === 0, `\n    ${[...new Set(wrong)].slice(0, 40).join('\n    ')}`);
});

test('the language is the browser\'s at first and the choice is kept', { seconds: 60 }, async (t) => {
  const server = t.stopping(await signalingServer());
  for (const [locale, lang] of [['ka-GE', 'ka'], ['ru-RU', 'ru'], ['en-GB', 'en'], ['de-DE', 'en']]) {
    const player = await Player.open(await t.profile(lang + locale, { locale }), server.url, { lang: null });
    same(await player.data('app', 'lang'), lang, `the language for ${locale}`);
    const fonts = await player.page.evaluate(async () => {
      await document.fonts.ready;
      return [...document.fonts].filter((font) => font.status !== 'unloaded').length;
    });
    check(fonts === 0 || lang === 'ka', `the Georgian letters are fetched only for Georgian, not for ${lang}`);
    if (locale === 'de-DE') {
      await player.click('lang-ka');
      await player.waitFor('app', 'lang', 'ka');
      await player.reload();
      same(await player.data('app', 'lang'), 'ka', 'the chosen language after a reload');
    }
  }
});

test('a finger can play', { seconds: 90 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const viewport = { width: 390, height: 844 };
  const player = await Player.open(await t.profile('finger', { viewport, hasTouch: true }), server.url);
  player.tap = (spot) => player.page.touchscreen.tap(...spot.at);
  await begin(player);
  for (let n = 0; n < 8; n += 1) {
    await player.until(Player.acts, 'something to do');
    await player.act();
  }
  same(await player.page.evaluate(() => [scrollX, scrollY]), [0, 0], 'the page has scrolled');
});

/** What each screen has, by the names that everything outside drives the page with. */
const NAMED = {
  home: ['home-local', 'home-computer', 'home-invite', 'lang-switch', 'lang-ru', 'lang-ka', 'lang-en',
    'btn-settings', 'btn-help', 'offline-badge'],
  setup: ['setup-start'],
  invite: ['invite-link', 'invite-copy', 'invite-cancel', 'conn-status'],
  board: ['board', ...[...Array(24).keys()].map((n) => `point-${n + 1}`), 'bar-white', 'bar-black',
    'off-white', 'off-black', 'dice', 'btn-roll', 'score', 'pip-white', 'pip-black', 'status',
    'move-log', 'move-input', 'verify-dice', 'btn-flip', 'btn-help', 'btn-settings'],
  settings: ['set-name', 'set-theme', 'set-motion', 'set-side'],
  verify: ['transcript-import'],
};

test('every screen has the names that drive it', { seconds: 60 }, async (t) => {
  const server = t.stopping(await signalingServer());
  const player = await Player.open(await t.profile('reader'), server.url);
  const missing = async (screen) => {
    await player.screen(screen);
    for (const id of NAMED[screen]) {
      await player.it(id).first().waitFor({ state: 'attached', timeout: 3000 })
        .catch(() => { throw new Error(`${screen} has no ${id}`); });
    }
  };
  await missing('home');
  for (const lang of ['ru', 'ka', 'en']) {
    same(await player.it(`lang-${lang}`).getAttribute('lang'), lang, 'each language in its own');
    same(await player.it(`lang-${lang}`).getAttribute('aria-pressed'), String(lang === 'en'), 'the chosen one');
  }
  for (const screen of ['settings', 'verify']) {
    await player.page.evaluate((hash) => { location.hash = `#/${hash}`; }, screen);
    await missing(screen);
  }
  await player.page.evaluate(() => { location.hash = '#/'; });
  await missing('home');
  await player.click('home-invite');
  await missing('setup');
  await player.click('setup-start');
  await missing('invite');
  check(!(await player.it('invite-link').isEditable()), 'the link is only to be read');
  await player.page.evaluate(() => { location.hash = '#/'; });
  await player.screen('home');
  await begin(player);
  await missing('board');
  const of = (id) => player.it(id).evaluate(({ dataset }) => ({ ...dataset }));
  const { testid: _, ...score } = await of('score');
  same([score.white, score.black, score.length], ['0', '0', '1'], 'the score');
  same([(await of('pip-white')).value, (await of('pip-black')).value], ['167', '167'], 'the pips');
  same(await player.it('status').getAttribute('aria-live'), 'polite', 'the live region');
  const { spots, position } = await player.board();
  same(position, '4HPwATDgc/ABMA', 'the Position ID of the start');
  for (const [point, count, owner] of [[24, 2, 'white'], [13, 5, 'white'], [8, 3, 'white'], [6, 5, 'white'],
    [1, 2, 'black'], [12, 5, 'black'], [17, 3, 'black'], [19, 5, 'black'], [2, 0, 'none']]) {
    const { count: n, owner: who } = spots[`point-${point}`];
    same([n, who], [count, owner], `point ${point}`);
  }
  await player.act();
  const { phase, turn, values, left } = await player.until(({ phase: is }) => is === 'moving', 'the opening');
  const [first, second] = values.split(',').map(Number);
  check(phase === 'moving' && first >= second && left === values, `the dice show ${values}, left ${left}`);
  check(['white', 'black'].includes(turn), 'somebody begins');
});
