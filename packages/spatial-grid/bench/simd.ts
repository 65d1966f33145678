// Usage: simd.ts [REPEATS]. What WebAssembly SIMD would make of the loop that counts neighbours: `rangeCount(2)` and `countWithin.wat` over ranges of
// several lengths of the same points, in turn, counts compared. Prints nanoseconds a pair, the best of the repeats.
import {cpus} from 'node:os';
import {rangeCount} from '../src/rangeCount.ts';

/** `countWithin.wat`, as wat2wasm of WABT translates it. */
const MODULE =
  'AGFzbQEAAAABCQFgBH9/f3wBfwMCAQAFBAEAgAEHEgIGbWVtb3J5AgAFY291bnQAAAqKAgGHAgMGewF/AnwgAEEDdP1dAwD9XyEE' +
  'IAP9FCEFIAFBA3QhASACQQN0IQICQANAIAFBEGogAksNASAB/QAEACEGIAb9XyAE/fEBIQcgBiAG/Q0ICQoLDA0ODwgJCgsMDQ4P' +
  '/V8gBP3xASEIIAcgB/3yASEHIAggCP3yASEIIAkgByAI/Q0AAQIDBAUGBxAREhMUFRYXIAcgCP0NCAkKCwwNDg8YGRobHB0eH/3w' +
  'ASAF/Uv90QEhCSABQRBqIQEMAAsLIAn9HQAgCf0dAXynIQogASACSQRAIAEqAgC7IAT9IQChIQsgASoCBLsgBP0hAaEhDCAKIAsg' +
  'C6IgDCAMoqAgA2VqIQoLIAoL';

const POINTS = 1_000_000;
const PAIRS = 4_000_000;
/** About half of the pairs of points in the unit square are nearer. */
const EPS2 = 0.25;

const repeats = Number(process.argv[2] ?? 15);

interface Counting {
  readonly memory: WebAssembly.Memory;
  readonly count: (position: number, start: number, end: number, eps2: number) => number;
}

const {instance} = await WebAssembly.instantiate(Buffer.from(MODULE, 'base64'));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the module above exports
const {memory, count} = instance.exports as unknown as Counting;
const coords = new Float32Array(memory.buffer, 0, 2 * POINTS);
for (let k = 0, state = 1; k < coords.length; k++) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  coords[k] = state / 2 ** 32;
}
const countScalar = rangeCount(2);
const subjects = [
  (position: number, start: number, end: number) => countScalar(coords, position, start, end, EPS2),
  (position: number, start: number, end: number) => count(position, start, end, EPS2),
];

process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}\n`);
for (const length of [8, 16, 32, 64, 128, 512]) {
  const best = subjects.map(() => Infinity);
  for (let repeat = 0; repeat < repeats; repeat++) {
    const totals = subjects.map((subject, k) => {
      const startedAt = performance.now();
      const total = countAll(subject, length);
      best[k] = Math.min(best[k], performance.now() - startedAt);
      return total;
    });
    if (totals[0] !== totals[1]) throw new Error(`counts differ: ${totals.join(', ')}`);
  }
  const [scalar, simd] = best.map((ms) => ((1e6 * ms) / PAIRS).toFixed(2));
  process.stdout.write(`ranges of ${length}: JavaScript ${scalar} ns a pair, WebAssembly ${simd}\n`);
}

function countAll(subject: (position: number, start: number, end: number) => number, length: number): number {
  let total = 0;
  for (let call = 0; call * length < PAIRS; call++) {
    const start = (call * length) % (POINTS - length);
    total += subject(call % POINTS, start, start + length);
  }
  return total;
}
