// A small runner: one line a test, pictures of what failed, a last line with the counts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Profile } from './browser.mjs';
import { artifacts } from './paths.mjs';

const tests = [];

/**
 * Registers a test. `seconds` is how long it may take; `allow` lists what its pages may say on the
 * console although it is an error elsewhere.
 */
export function test(name, { seconds = 60, allow = [] }, run) {
  tests.push({ name, seconds, allow, run });
}

/** Throws unless `fact` holds. */
export function check(fact, text) {
  if (!fact) throw new Error(text);
}

/** Throws unless the two are the same as JSON. */
export function same(found, wanted, text) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${text}: ${a} instead of ${b}`);
}

/** What a test has at hand; everything it opens is closed after it. */
class Running {
  constructor({ name, allow }) {
    this.name = name;
    this.allow = allow;
    this.faults = [];
    this.notes = [];
    this.profiles = [];
    this.endings = [];
  }

  fault(text) {
    if (!this.allow.some((pattern) => pattern.test(text))) this.faults.push(text);
    this.note(text);
  }

  note(text) {
    this.notes.push(text);
  }

  /** A browser with a profile of its own. */
  async profile(name, options = {}) {
    const profile = new Profile(this, name, options);
    this.profiles.push(profile);
    return profile.start();
  }

  /** Something with `stop()`, stopped after the test. */
  stopping(thing) {
    this.endings.push(() => thing.stop());
    return thing;
  }

  async pictures() {
    mkdirSync(artifacts, { recursive: true });
    const stem = join(artifacts, this.name.replace(/[^\p{L}\p{N}]+/gu, '-'));
    writeFileSync(`${stem}.txt`, `${this.notes.slice(-400).join('\n')}\n`);
    for (const profile of this.profiles) {
      for (const [n, page] of profile.pages.entries()) {
        const path = `${stem}-${profile.name}-${n}.png`;
        await page.screenshot({ path, timeout: 3000 }).catch(() => {});
      }
    }
  }

  async end() {
    for (const profile of this.profiles) await profile.discard();
    for (const ending of this.endings.reverse()) await ending();
  }
}

async function runOne(it) {
  const running = new Running(it);
  const started = performance.now();
  let failure;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${it.seconds} s`)), it.seconds * 1000);
  });
  try {
    await Promise.race([it.run(running), late]);
    if (running.faults.length > 0) throw new Error(running.faults.slice(0, 5).join('\n    '));
  } catch (error) {
    failure = error;
    if (running.faults.length > 0 && !String(error.message).includes(running.faults[0])) {
      failure.message += `\n    and: ${running.faults.slice(0, 5).join('\n    ')}`;
    }
    await running.pictures();
  } finally {
    clearTimeout(timer);
    await running.end().catch((error) => { failure ??= error; });
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${failure ? 'FAILED' : 'ok    '} ${seconds.padStart(6)} s  ${it.name}`);
  if (failure) {
    const at = (failure.stack ?? '').split('\n').filter((line) => /journeys|harness/.test(line)).slice(0, 4);
    console.log(`    ${failure.message}\n${at.join('\n')}`);
  }
  return !failure;
}

/** Runs the tests whose names contain one of the words, some at a time. */
export async function runAll(words, jobs) {
  rmSync(artifacts, { recursive: true, force: true });
  const chosen = tests.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  let passed = 0;
  let next = 0;
  const worker = async () => {
    while (next < chosen.length) {
      const it = chosen[next];
      next += 1;
      if (await runOne(it)) passed += 1;
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  console.log(`${passed} passed, ${chosen.length - passed} failed`);
  return passed === chosen.length && chosen.length > 0;
}
