// A second verifier, written from PROTOCOL.md alone: node verify.mjs TRANSCRIPT…
// One line each: AGREED, CLAIMED, INCOMPLETE, UNPROVEN or INVALID <seq> <reason>.
// Leaves with 0 for the first four, 1 for INVALID, 2 when the file is no transcript.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const N = 16384;
const u8 = (n) => Buffer.from([n]);
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b; };
const H = (b) => createHash('sha256').update(b).digest();
const TH = (tag, ...parts) =>
  H(Buffer.concat([u8(tag.length), Buffer.from(tag), ...parts.flatMap((p) => [u32(p.length), p])]));
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const signed = (pk, hash, sig) => {
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, pk]), format: 'der', type: 'spki' });
    return verify(null, hash, key, sig);
  } catch { return false; }
};
class Invalid extends Error { constructor(seq, reason) { super(`INVALID ${seq} ${reason}`); } }
class Unreadable extends Error {}

function base64url(text) {
  if (typeof text !== 'string') throw new Unreadable('a value is not a text');
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new Unreadable('a value is not base64url');
  return bytes;
}
function named(bytes, at) { // a name that ends the bytes
  const name = bytes.subarray(at + 1);
  if (bytes.length <= at || name.length !== bytes[at] || name.length > 32) return false;
  try { return !/\p{Cc}/u.test(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name)); }
  catch { return false; }
}
function ruleset(b) {
  const [game, match, cube, flags, clock] = b;
  const seconds = b.readUInt16BE(5), reserve = b.readUInt16BE(7);
  const allowed = cube === 0 ? 0 : match > 0 ? 1 : 6;
  const times = [seconds === 0 && reserve === 0, seconds > 0 && reserve === 0, reserve > 0][clock];
  if (game !== 0 || match > 25 || cube > 6 || flags & ~allowed || !times || b[11] > 1) return null;
  return { match, max: 1 << cube, cube: cube > 0, crawford: flags & 1, jacoby: flags & 2,
    beavers: flags & 4, clock, seconds, reserve, place: b[11] };
}

// ---- dice (section 6)
function map(seed) {
  for (;;) {
    for (const b of seed) if (b < 252) return [Math.floor((b % 36) / 6) + 1, (b % 6) + 1];
    seed = TH('zari/more/1', seed);
  }
}
function opening(seed) {
  for (;;) {
    const dice = map(seed);
    if (dice[0] !== dice[1]) return dice;
    seed = TH('zari/open/1', seed);
  }
}

// ---- the board (section 7): own and other checkers, each indexed in its owner's view
const START = () => { const a = Array(26).fill(0); a[24] = 2; a[13] = 5; a[8] = 3; a[6] = 5; return a; };
function move(own, other, from, die) {
  if (own[from] === 0 || from === 0 || (own[25] > 0 && from !== 25)) return null;
  const to = Math.max(0, from - die), me = own.slice(), you = other.slice();
  if (to === 0) {
    for (let p = 7; p < 26; p++) if (own[p] > 0) return null;
    if (from < die) for (let p = from + 1; p < 7; p++) if (own[p] > 0) return null;
  } else if (other[25 - to] > 1) return null;
  else if (other[25 - to] === 1) { you[25 - to] = 0; you[25]++; }
  me[from]--; me[to]++;
  return [me, you];
}
function most(own, other, dice) { // the most dice that any sequence uses
  let best = 0;
  for (const die of new Set(dice)) {
    const left = dice.slice(); left.splice(left.indexOf(die), 1);
    for (let from = 25; from > 0 && best < dice.length; from--) {
      const next = move(own, other, from, die);
      if (next) best = Math.max(best, 1 + most(next[0], next[1], left));
    }
  }
  return best;
}
function play(own, other, roll, moves) { // [own, other] afterwards, null when it is not legal
  let dice = roll[0] === roll[1] ? Array(4).fill(roll[0]) : roll.slice();
  const need = most(own, other, dice);
  if (moves.length !== need) return null;
  if (need === 1 && roll[0] !== roll[1] && moves[0][1] === Math.min(...roll) &&
      most(own, other, [Math.max(...roll)]) > 0) return null;
  for (const [from, die] of moves) {
    if (!dice.includes(die)) return null;
    dice.splice(dice.indexOf(die), 1);
    const next = move(own, other, from, die);
    if (!next) return null;
    [own, other] = next;
  }
  return [own, other];
}
const behind = (loser) => loser[25] > 0 || loser.slice(19, 25).some((n) => n > 0);

function check(text) {
  let file;
  try { file = JSON.parse(text); } catch { throw new Unreadable('not JSON'); }
  const keys = ['zari', 'offer', 'accept', 'start', 'seat', 'records', 'claims'];
  if (file?.zari !== 1 || Object.keys(file).some((key) => !keys.includes(key)) ||
    !Array.isArray(file.records) || !Array.isArray(file.claims)) throw new Unreadable('no transcript');
  const [offer, accept, start, seat] = [file.offer, file.accept, file.start, file.seat].map(base64url);
  const records = file.records.map(base64url), claims = file.claims.map(base64url);

  // ---- header (section 4)
  const header = (ok, reason) => { if (!ok) throw new Invalid('header', reason); };
  header(offer.length > 45 && offer[0] === 1 && named(offer, 45), 'malformed');
  const rules = ruleset(offer.subarray(1, 13));
  header(rules && accept.length > 65 && accept[0] === 1 && named(accept, 65), 'malformed');
  header(start.length === 96 && seat.length === 64, 'malformed');
  const pk = [offer.subarray(13, 45), accept.subarray(1, 33)];
  const link = [start.subarray(0, 32), accept.subarray(33, 65)];
  header(!pk[0].equals(pk[1]), 'malformed');
  const gid = TH('zari/gid/1', offer, accept, link[0]);
  header(signed(pk[0], gid, start.subarray(32)) && signed(pk[1], gid, seat), 'signature');

  // ---- the fold (sections 8 and 9)
  let state = { is: 'Opening' }, i = 1, head = gid;
  let board, cube, dice, declined, turn = [0, 0], used = [0, 0], finished = false;
  let points = [0, 0], crawford = 'before';
  const may = (p) => rules.cube && (cube.owner ?? p) === p && 2 * cube.value <= rules.max &&
    crawford !== 'now' && (!rules.match || points[p] + cube.value < rules.match);
  const least = (p) => {
    const [own, other] = [board[p], board[1 - p]];
    const dead = rules.match && rules.match - points[1 - p] <= cube.value;
    if (own[0] > 0 || dead || (rules.jacoby && cube.value === 1)) return 1;
    return other[0] > 0 && behind(own) ? 3 : 2;
  };
  const cost = (p) => Math.max(0, turn[p] - (rules.clock === 2 ? 1000 * rules.seconds : 0));
  const endTurn = (p) => { used[p] += cost(p); turn[p] = 0; };
  const over = (winner, n, whole) => {
    points[winner] += whole ? Math.max(0, rules.match - points[winner]) : n;
    if (crawford === 'now') crawford = 'after';
    else if (crawford === 'before' && rules.crawford && rules.match > 1 &&
      points.some((p) => rules.match - p === 1)) crawford = 'now';
    endTurn(0); endTurn(1);
    state = { is: i <= N - 1024 ? 'Over' : 'Closed' }; finished = true; declined = 0;
  };
  const win = (times) => (rules.jacoby && cube.value === 1 ? 1 : times) * cube.value;
  const newGame = () => {
    board = [START(), START()]; cube = { value: 1, owner: null }; finished = false; declined = 0;
    if (rules.match && points.some((p) => p >= rules.match)) { points = [0, 0]; crawford = 'before'; used = [0, 0]; }
    state = { is: 'Opening' };
  };
  newGame();
  const author = () => ({ Opening: 0, OpenReveal: 1, Over: 1 })[state.is] ?? state.p;

  for (let seq = 0; seq < records.length; seq++) {
    const need = (ok, reason) => { if (!ok) throw new Invalid(seq, reason); };
    const record = records[seq], body = record.subarray(45, -64), entry = record.subarray(0, -64);
    need(record.length >= 109 && record.readUInt16BE(43) === body.length, 'malformed');
    const [version, kind, s] = record;
    const moves = [];
    const playAt = body.length > 0 ? 1 + 2 * body[0] : 0;
    if (kind === 3) for (let at = 1; at + 1 < Math.min(playAt, body.length); at += 2) moves.push([body[at], body[at + 1]]);
    const shape = { 1: body.length === 32, 2: body.length === 32, 5: body.length === 32,
      3: playAt > 0 && body[0] <= 4 && (body.length === playAt || body.length === playAt + 32) &&
        moves.every(([from, die]) => from >= 1 && from <= 25 && die >= 1 && die <= 6),
      8: body.length === 1 && body[0] >= 1 && body[0] <= 4 }[kind] ?? body.length === 0;
    need(version === 1 && kind >= 1 && kind <= 12 && s <= 1 && shape, 'malformed');
    const id = TH('zari/entry/1', gid, entry);
    need(signed(pk[s], id, record.subarray(-64)), 'signature');
    need(record.subarray(7, 39).equals(head), 'prev');
    need(record.readUInt32BE(3) === seq, 'seq');
    need(state.is !== 'Closed' && author() === s, 'seat');
    const p = s, q = 1 - s, was = state, ms = record.readUInt32BE(39);
    const x = kind === 3 ? body.subarray(playAt) : kind === 8 ? body.subarray(1) : body;
    const wants = { Opening: [1], OpenReveal: [2], ToPlay: [3, 8, 11], Free: [1, 4, 8, 11], Owe: [2],
      Bound: [1], TakeOrDrop: [5, 6, 7, 11], Beavered: [1, 7, 11], Answer: [9, 10], Over: [12] }[was.is];
    need(wants.includes(kind), 'rules');
    if (['ToPlay', 'Free', 'Bound', 'TakeOrDrop', 'Beavered'].includes(was.is)) turn[p] += ms;
    if (was.is === 'TakeOrDrop' && kind !== 11) endTurn(p); // an answer is a turn of its own
    const reveal = () => { // the x of this entry is the author's link i
      if (!TH('zari/chain/1', pk[s], u8(s), u32(i - 1), x).equals(link[s])) throw new Invalid(seq, 'chain');
      link[s] = x;
    };
    const roll = (map_) => { dice = map_(TH('zari/roll/1', gid, u32(i), link[0], link[1])); i++; };
    if (kind === 1) {
      if (was.is === 'Beavered') cube = { value: 4 * cube.value, owner: q };
      reveal();
      if (was.is === 'Opening') state = { is: 'OpenReveal' };
      else if (was.is === 'Bound') { roll(map); state = { is: 'ToPlay', p }; }
      else state = { is: 'Owe', p: q };
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
      [board[p], board[q]] = next;
      endTurn(p); declined = 0;
      if (won) over(p, win(next[1][0] > 0 ? 1 : behind(next[1]) ? 3 : 2));
      else state = i > N ? { is: 'Closed' } : { is: bound ? 'Bound' : 'Free', p: q };
    } else if (kind === 4) {
      need(may(p), 'rules');
      state = { is: 'TakeOrDrop', p: q };
    } else if (kind === 5) {
      reveal();
      cube = { value: 2 * cube.value, owner: p };
      state = { is: 'Bound', p: q };
    } else if (kind === 6) {
      need(rules.beavers && 4 * cube.value <= rules.max, 'rules');
      state = { is: 'Beavered', p: q };
    } else if (kind === 7) {
      over(q, was.is === 'Beavered' ? 2 * cube.value : cube.value);
    } else if (kind === 8) {
      const v = body[0];
      need(v >= least(p) && v > declined && (v < 4 || rules.match), 'rules');
      state = { is: 'Answer', p: q, from: was, v };
    } else if (kind === 9) over(p, win(was.v), was.v === 4);
    else if (kind === 10) { declined = was.v; state = was.from; }
    else if (kind === 11) {
      need(rules.clock === 2 && used[p] + cost(p) >= 1000 * rules.reserve, 'rules');
      const n = was.is === 'TakeOrDrop' ? cube.value : was.is === 'Beavered' ? 2 * cube.value : win(least(p));
      over(q, n, rules.match > 0);
    } else newGame();
    head = id;
  }

  // ---- claims (section 11) and the verdict (section 13)
  let claimed = false;
  for (const c of claims) {
    const fit = c.length === 106 && c[0] <= 1 && (c[1] === 1 || c[1] === 2) &&
      signed(pk[c[0]], TH('zari/claim/1', gid, c.subarray(0, 42)), c.subarray(42));
    if (!fit) throw new Invalid('claim', 'malformed');
    claimed ||= c.readUInt32BE(2) === records.length && c.subarray(6, 38).equals(head) &&
      !['Opening', 'Over', 'Closed'].includes(state.is) && author() !== c[0];
  }
  if (rules.place === 1) return 'UNPROVEN';
  const decided = finished && (!rules.match || points.some((p) => p >= rules.match));
  return decided ? 'AGREED' : claimed ? 'CLAIMED' : 'INCOMPLETE';
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
