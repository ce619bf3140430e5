// A second verifier, written from PROTOCOL.md alone: node verify.mjs TRANSCRIPT…
// One line each: AGREED, CLAIMED, INCOMPLETE, UNPROVEN or INVALID <seq> <reason>.
// Leaves with 0 for the first four, 1 for INVALID, 2 when a file is no transcript.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const N = 16384;
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b; };
const TH = (tag, ...parts) => parts.reduce((hash, part) => hash.update(u32(part.length)).update(part),
  createHash('sha256').update(Buffer.from([tag.length])).update(tag)).digest();
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
function signed(pk, hash, sig) {
  try {
    const key = { key: Buffer.concat([SPKI, pk]), format: 'der', type: 'spki' };
    return verify(null, hash, createPublicKey(key), sig);
  } catch { return false; }
}
class Invalid extends Error { constructor(seq, reason) { super(`INVALID ${seq} ${reason}`); } }

function base64url(text) {
  const bytes = Buffer.from(String(text), 'base64url');
  if (bytes.toString('base64url') !== text) throw new Error('a value is not base64url');
  return bytes;
}
function isName(bytes) { // u8 n and n bytes, nothing behind them
  if (bytes.length < 1 || bytes.length !== bytes[0] + 1 || bytes[0] > 32) return false;
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try { return !/\p{Cc}/u.test(utf8.decode(bytes.subarray(1))); } catch { return false; }
}
function ruleset(b) {
  const [game, match, cube, flags, clock] = b, seconds = b.readUInt16BE(5), reserve = b.readUInt16BE(7);
  const flagsOf = cube === 0 ? 0 : match > 0 ? 1 : 6;
  const timed = [seconds === 0 && reserve === 0, seconds > 0 && reserve === 0, reserve > 0][clock];
  if (game !== 0 || match > 25 || cube > 6 || flags & ~flagsOf || !timed || b[11] > 1) return null;
  return { match, cube: cube > 0, max: 2 ** cube, crawford: flags & 1, jacoby: flags & 2,
    beavers: flags & 4, delay: clock === 2 ? seconds * 1000 : 0, reserve: reserve * 1000, place: b[11] };
}

// ---- dice (section 6)
function map(seed) {
  const b = seed.find((byte) => byte < 252);
  return b === undefined ? map(TH('zari/more/1', seed)) : [Math.floor((b % 36) / 6) + 1, (b % 6) + 1];
}
function opening(seed) {
  const dice = map(seed);
  return dice[0] === dice[1] ? opening(TH('zari/open/1', seed)) : dice;
}

// ---- the board (section 7): own and other checkers, each indexed by its owner's points
const START = () => Array.from({ length: 26 }, (_, point) => ({ 24: 2, 13: 5, 8: 3, 6: 5 })[point] ?? 0);
const any = (side, from, to) => side.slice(from, to + 1).some((n) => n > 0);
function move(own, other, from, die) {
  if (!(own[from] > 0) || (own[25] > 0 && from !== 25)) return null;
  const to = Math.max(0, from - die), me = own.slice(), you = other.slice();
  if (to === 0 && (any(own, 7, 25) || (from < die && any(own, from + 1, 6)))) return null;
  if (to > 0 && other[25 - to] > 1) return null;
  if (to > 0 && other[25 - to] === 1) { you[25 - to] = 0; you[25] += 1; }
  me[from] -= 1;
  me[to] += 1;
  return [me, you];
}
const without = (dice, die) => dice.toSpliced(dice.indexOf(die), 1);
function most(own, other, dice) { // the most dice that any sequence uses
  let best = 0;
  for (const die of new Set(dice)) {
    for (let from = 25; from > 0 && best < dice.length; from -= 1) {
      const next = move(own, other, from, die);
      if (next) best = Math.max(best, 1 + most(...next, without(dice, die)));
    }
  }
  return best;
}
function play(own, other, [a, b], moves) { // the board afterwards, null when it is not legal
  const all = a === b ? [a, a, a, a] : [a, b];
  let dice = all, board = [own, other];
  for (const [from, die] of moves) {
    board = dice.includes(die) ? move(...board, from, die) : null;
    if (!board) return null;
    dice = without(dice, die);
  }
  if (board[0][0] === 15) return board; // a win ends the game, dice left or not
  if (moves.length !== most(own, other, all)) return null;
  if (moves.length === 1 && moves[0][1] < Math.max(a, b) && most(own, other, [Math.max(a, b)])) return null;
  return board;
}

const WORDS = { // the kinds that each state takes (section 9)
  Opening: [1], OpenReveal: [2], ToPlay: [3, 8, 11], Free: [1, 4, 8, 11], Owe: [2], Bound: [1],
  TakeOrDrop: [5, 6, 7, 11], Beavered: [1, 7, 11], Answer: [9, 10], Over: [12], Closed: [] };
const TIMED = ['ToPlay', 'Free', 'Bound', 'TakeOrDrop', 'Beavered'];
const KEYS = ['zari', 'offer', 'accept', 'start', 'seat', 'records', 'claims'];

function check(text) {
  const file = JSON.parse(text);
  if (file?.zari !== 1 || Object.keys(file).some((key) => !KEYS.includes(key)) ||
    !Array.isArray(file.records) || !Array.isArray(file.claims)) throw new Error('no transcript');
  const [offer, accept, start, seat] = [file.offer, file.accept, file.start, file.seat].map(base64url);
  const records = file.records.map(base64url), claims = file.claims.map(base64url);

  // ---- the handshake (section 4)
  const header = (ok, reason) => { if (!ok) throw new Invalid('header', reason); };
  header(offer.length > 45 && offer[0] === 1 && isName(offer.subarray(45)), 'malformed');
  header(accept.length > 65 && accept[0] === 1 && isName(accept.subarray(65)), 'malformed');
  const rules = ruleset(offer.subarray(1, 13));
  const pk = [offer.subarray(13, 45), accept.subarray(1, 33)];
  header(rules && start.length === 96 && seat.length === 64 && !pk[0].equals(pk[1]), 'malformed');
  const link = [start.subarray(0, 32), accept.subarray(33, 65)];
  const gid = TH('zari/gid/1', offer, accept, link[0]);
  header(signed(pk[0], gid, start.subarray(32)) && signed(pk[1], gid, seat), 'signature');

  // ---- the fold (sections 7 to 9); p is the author, q the other seat
  let state, board, cube, dice, declined, result, i = 1, head = gid;
  let points = [0, 0], crawford = 'before', turn = [0, 0], used = [0, 0];
  const isWon = () => rules.match > 0 && points.some((n) => n >= rules.match);
  const newGame = () => {
    if (isWon()) { points = [0, 0]; crawford = 'before'; used = [0, 0]; }
    [state, board, cube, declined, result] = [{ is: 'Opening' }, [START(), START()], { value: 1 }, 0, false];
  };
  const author = () => ({ Opening: 0, OpenReveal: 1, Over: 1 })[state.is] ?? state.p;
  const may = (p) => rules.cube && (cube.owner ?? p) === p && 2 * cube.value <= rules.max &&
    crawford !== 'now' && (rules.match === 0 || points[p] + cube.value < rules.match);
  const unturned = () => rules.jacoby && cube.value === 1;
  const win = (times) => (unturned() ? 1 : times) * cube.value;
  const needed = (p) => Math.max(0, rules.match - points[p]);
  const least = (p) => {
    const [own, other] = [board[p], board[1 - p]];
    if (own[0] > 0 || unturned() || (rules.match > 0 && needed(1 - p) <= cube.value)) return 1;
    return other[0] > 0 && any(own, 19, 25) ? 3 : 2;
  };
  const cost = (p) => Math.max(0, turn[p] - rules.delay);
  const endTurn = (p) => { used[p] += cost(p); turn[p] = 0; };
  const over = (winner, n) => {
    points[winner] += n;
    if (crawford === 'now') crawford = 'after';
    else if (crawford === 'before' && rules.crawford && rules.match > 1 &&
      points.some((each) => rules.match - each === 1)) crawford = 'now';
    [0, 1].forEach(endTurn);
    [state, result, declined] = [{ is: i <= N - 1024 ? 'Over' : 'Closed' }, true, 0];
  };
  newGame();

  records.forEach((record, seq) => {
    const need = (ok, reason) => { if (!ok) throw new Invalid(seq, reason); };
    need(record.length >= 109 && record.length === 109 + record.readUInt16BE(43), 'malformed');
    const body = record.subarray(45, -64), [version, kind, p] = record, q = 1 - p;
    const moves = kind === 3 && body.length > 0 && body.length > 2 * body[0]
      ? Array.from({ length: body[0] }, (_, n) => [body[1 + 2 * n], body[2 + 2 * n]]) : null;
    const x = moves ? body.subarray(1 + 2 * moves.length) : body;
    need(version === 1 && kind >= 1 && kind <= 12 && p <= 1, 'malformed');
    need([1, 2, 5].includes(kind) ? body.length === 32
      : kind === 3 ? moves && moves.length <= 4 && (x.length === 0 || x.length === 32) &&
        moves.every(([from, die]) => from >= 1 && from <= 25 && die >= 1 && die <= 6)
        : kind === 8 ? body.length === 1 && body[0] >= 1 && body[0] <= 4 : body.length === 0, 'malformed');
    const id = TH('zari/entry/1', gid, record.subarray(0, -64));
    need(signed(pk[p], id, record.subarray(-64)), 'signature');
    need(record.subarray(7, 39).equals(head), 'prev');
    need(record.readUInt32BE(3) === seq, 'seq');
    need(author() === p, 'seat');
    need(WORDS[state.is].includes(kind), 'rules');
    const was = state;
    if (TIMED.includes(was.is)) turn[p] += record.readUInt32BE(39);
    if (was.is === 'TakeOrDrop' && kind !== 11) endTurn(p); // an answer is a turn of its own
    const reveal = () => {
      need(TH('zari/chain/1', pk[p], Buffer.from([p]), u32(i - 1), x).equals(link[p]), 'chain');
      link[p] = x;
    };
    const roll = (mapping) => { dice = mapping(TH('zari/roll/1', gid, u32(i), ...link)); i += 1; };
    if (kind === 1) {
      reveal();
      if (was.is === 'Beavered') cube = { value: 4 * cube.value, owner: q };
      if (was.is === 'Bound') roll(map);
      state = { Opening: { is: 'OpenReveal' }, Bound: { is: 'ToPlay', p } }[was.is] ?? { is: 'Owe', p: q };
    } else if (kind === 2) {
      reveal();
      roll(was.is === 'OpenReveal' ? opening : map);
      state = { is: 'ToPlay', p: was.is === 'OpenReveal' ? Number(dice[1] > dice[0]) : q };
    } else if (kind === 3) {
      const next = play(board[p], board[q], dice, moves);
      need(next, 'rules');
      const won = next[0][0] === 15, bound = !won && i <= N && !may(q);
      need((x.length > 0) === bound, 'rules');
      if (bound) reveal();
      [board[p], board[q], declined] = [...next, 0];
      endTurn(p);
      if (won) over(p, win(next[1][0] > 0 ? 1 : any(next[1], 19, 25) ? 3 : 2));
      else state = i > N ? { is: 'Closed' } : { is: bound ? 'Bound' : 'Free', p: q };
    } else if (kind === 4) {
      need(may(p), 'rules');
      state = { is: 'TakeOrDrop', p: q };
    } else if (kind === 5) {
      reveal();
      [cube, state] = [{ value: 2 * cube.value, owner: p }, { is: 'Bound', p: q }];
    } else if (kind === 6) {
      need(rules.beavers && 4 * cube.value <= rules.max, 'rules');
      state = { is: 'Beavered', p: q };
    } else if (kind === 7) {
      over(q, (was.is === 'Beavered' ? 2 : 1) * cube.value);
    } else if (kind === 8) {
      need(body[0] >= least(p) && body[0] > declined && (body[0] < 4 || rules.match > 0), 'rules');
      state = { is: 'Answer', p: q, from: was, v: body[0] };
    } else if (kind === 9) {
      over(p, was.v === 4 ? needed(p) : win(was.v));
    } else if (kind === 10) {
      [declined, state] = [was.v, was.from];
    } else if (kind === 11) {
      need(rules.reserve > 0 && used[p] + cost(p) >= rules.reserve, 'rules');
      const lost = { TakeOrDrop: cube.value, Beavered: 2 * cube.value }[was.is] ?? win(least(p));
      over(q, rules.match > 0 ? needed(q) : lost);
    } else newGame();
    head = id;
  });

  // ---- claims (section 11) and the verdict (section 13)
  const standing = claims.filter((c) => {
    if (c.length !== 106 || c[0] > 1 || c[1] < 1 || c[1] > 2 || !signed(pk[c[0]],
      TH('zari/claim/1', gid, c.subarray(0, 42)), c.subarray(42))) throw new Invalid('claim', 'malformed');
    return c.readUInt32BE(2) === records.length && c.subarray(6, 38).equals(head) &&
      !['Opening', 'Over', 'Closed'].includes(state.is) && author() !== c[0];
  });
  if (rules.place === 1) return 'UNPROVEN';
  if (result && (rules.match === 0 || isWon())) return 'AGREED';
  return standing.length > 0 ? 'CLAIMED' : 'INCOMPLETE';
}

for (const file of process.argv.slice(2)) {
  try {
    console.log(check(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Invalid) console.log(error.message);
    else console.error(`${file} is unreadable: ${error.message}`);
    process.exitCode = Math.max(process.exitCode ?? 0, error instanceof Invalid ? 1 : 2);
  }
}
