// Two players at one table over the link.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Player } from './player.mjs';
import { zari, secondVerifier } from './paths.mjs';
import { check, same } from './runner.mjs';

/** The host makes an invitation; answers the link. */
export async function invite(host) {
  await host.click('home-invite');
  await host.screen('setup');
  await host.click('setup-start');
  await host.screen('invite');
  await host.it('invite-link').waitFor({ state: 'visible' });
  return host.it('invite-link').inputValue();
}

/** Opens an invitation as it is and waits for what comes of it. */
export async function follow(profile, link) {
  const guest = new Player(profile, await profile.page());
  await guest.page.goto(link);
  await guest.ready();
  return guest;
}

/** Two profiles, an invitation, both at the board and connected. */
export async function meet(test, url, { query = {}, host: hostOptions, guest: guestOptions } = {}) {
  const [hostProfile, guestProfile] = await Promise.all([
    test.profile('host', hostOptions),
    test.profile('guest', guestOptions),
  ]);
  const host = await Player.open(hostProfile, url, query);
  const link = await invite(host);
  const guest = await follow(guestProfile, link);
  await guest.screen('join');
  await guest.it('join-accept').waitFor({ state: 'visible' });
  await guest.click('join-accept');
  await Promise.all([host, guest].map((player) => player.screen('board')));
  await connected(host, guest);
  return { host, guest, link };
}

export async function connected(...players) {
  await Promise.all(players.map((player) => player.waitFor('conn-status', 'state', 'connected')));
}

/** Waits until both boards say the same, and compares them. */
export async function equal(host, guest) {
  let boards;
  const end = performance.now() + 15_000;
  for (;;) {
    boards = await Promise.all([host.board(), guest.board()]);
    const [a, b] = boards;
    if (a && b && a.seq === b.seq && (a.phase !== 'rolling') && (b.phase !== 'rolling') &&
      a.position === b.position) break;
    if (performance.now() > end) {
      throw new Error(`the boards differ: ${boards.map((it) => JSON.stringify({ ...it, spots: 0 }))}`);
    }
    await host.page.waitForTimeout(15);
  }
  const [a, b] = boards;
  same(a.turn, b.turn, 'the side on turn');
  same(a.values, b.values, 'the dice');
  same(a.you, 'white', 'the host plays');
  same(b.you, 'black', 'the guest plays');
  return a;
}

export const isOver = (board) => ['game-over', 'match-over'].includes(board.phase);

/** Whoever has the word does one thing, then both boards are compared. */
export async function turn(host, guest) {
  const end = performance.now() + 15_000;
  for (;;) {
    const boards = await Promise.all([host.board(), guest.board()]);
    if (boards.some(isOver)) return equal(host, guest);
    const who = boards.findIndex((board) => board && Player.acts(board));
    if (who >= 0) {
      await [host, guest][who].act();
      return equal(host, guest);
    }
    if (performance.now() > end) {
      throw new Error(`nobody can do anything: ${boards.map((it) => JSON.stringify({ ...it, spots: 0 }))}`);
    }
    await host.page.waitForTimeout(20);
  }
}

/** Turns until the game is over or `limit` things were done. */
export async function play(host, guest, limit = 2000) {
  let board;
  for (let n = 0; n < limit; n += 1) {
    board = await turn(host, guest);
    if (isOver(board)) return board;
  }
  return board;
}

const run = (command, args) => new Promise((resolve) => {
  execFile(command, args, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
});

/** Both verifiers on an exported game; answers the first line, which they must share. */
export async function verdict(text) {
  const folder = mkdtempSync(join(tmpdir(), 'zari-transcript-'));
  try {
    const file = join(folder, 'game.json');
    writeFileSync(file, text);
    const [first, second] = await Promise.all([
      run(zari, ['verify', file]),
      run(process.execPath, [secondVerifier, file]),
    ]);
    const lines = [first, second].map(({ stdout }) => stdout.split('\n')[0]);
    check(lines[0] === lines[1] && first.code === second.code,
      `zari verify says ${JSON.stringify(first)}, the second verifier ${JSON.stringify(second)}`);
    return lines[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
