import type {Element, ElementArrays, Operator} from '@epsball/gpu-primitives';
import {shareOf} from '@epsball/conformance/share';
import type {Gpu} from '@epsball/gpu';
import type {Teamwork} from '../src/tiles.ts';
import {elementArray} from '../src/operators.ts';
import {combineWords, identityWord} from './reference.ts';
import {words} from './session.ts';

/** Elements per tile of the operations on runs; 768 on lavapipe. */
const TILE = 1792;

/** The share of the counts around every boundary: a workgroup, and a tile of either size. */
export const COUNTS: readonly number[] = shareOf(
  [0, 1, 2, 255, 256, 257, 767, 768, 769, TILE - 1, TILE, TILE + 1, 2 * TILE + 1, 70_001],
  {of: 'counts of runs', nameOf: String, isKept: (count) => [0, 1, 256, 257, TILE + 1, 70_001].includes(count)},
);

/**
 * Kinds of cooperation to test at a large count: the adapter's default, and on lavapipe also workgroups, at counts
 * where they begin to take two tiles each.
 */
export function teamworkAt({info}: Gpu, count: number): readonly Teamwork[] {
  if (info.kind === 'hardware') return ['workgroups', 'none'];
  return info.kind === 'system-software' && count < 2 ** 21 ? ['none', 'workgroups'] : ['none'];
}

/** Keys in runs of many lengths. */
export const SHAPES = {
  'all different': (count: number) => Uint32Array.from({length: count}, (_, i) => i),
  'all equal': (count: number) => new Uint32Array(count).fill(7),
  'in short runs': (count: number) => words(count, count + 3, 2),
  'in long runs': (count: number) => words(count, count + 5, 32).map((word, i) => (word % 3000 === 0 ? i : i >>> 13)),
  'new at each tile': (count: number) => Uint32Array.from({length: count}, (_, i) => Math.floor(i / TILE)),
  'new just before each tile': (count: number) =>
    Uint32Array.from({length: count}, (_, i) => Math.floor((i + 1) / TILE)),
} as const;

export type Shape = keyof typeof SHAPES;
export const SHAPE_NAMES: readonly Shape[] = [
  'all different',
  'all equal',
  'in short runs',
  'in long runs',
  'new at each tile',
  'new just before each tile',
];

export interface ExpectedRuns {
  readonly uniqueKeys: Uint32Array;
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
}

export function runsOf(keys: Uint32Array): ExpectedRuns {
  const starts: number[] = [];
  for (let i = 0; i < keys.length; i++) if (i === 0 || keys[i] !== keys[i - 1]) starts.push(i);
  return {
    uniqueKeys: Uint32Array.from(starts, (start) => keys[start]),
    starts: Uint32Array.from(starts),
    lengths: Uint32Array.from(starts, (start, k) => (starts[k + 1] ?? keys.length) - start),
  };
}

/** Words of a type; floats are small integers, so that their sums are exact. */
export function wordsOf(element: Element, count: number): Uint32Array {
  const bits = words(count, count + 7);
  if (element !== 'f32') return bits;
  return new Uint32Array(Float32Array.from(bits, (word) => (word % 17) - 8).buffer);
}

/** f32 words with special values side by side: ±0, ±∞, NaN of both signs, subnormals, others. */
export function specialWords(count: number): Uint32Array {
  const special = [
    0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc0_0000, 1, 0x8000_0001, 0x3f80_0000, 0xc000_0000,
    0x7fff_ffff, 0xffff_ffff,
  ];
  return words(count, 21).map((word) => special[word % special.length]);
}

/** Scans words by segment, for keys or flags. */
export function segmentedScan(
  isHead: (i: number) => boolean,
  input: Uint32Array,
  {isInclusive, operator, element}: {isInclusive: boolean; operator: Operator; element: Element},
): Uint32Array {
  const result = new Uint32Array(input.length);
  let running = 0;
  for (let i = 0; i < input.length; i++) {
    const startsAgain = i === 0 || isHead(i);
    const before = startsAgain ? identityWord(operator, element) : running;
    running = startsAgain ? input[i] : combineWords(operator, element, running, input[i]);
    result[i] = isInclusive ? running : before;
  }
  return result;
}

/** The combination of each run's words. */
export function totalsOf(keys: Uint32Array, values: Uint32Array, operator: Operator, element: Element): Uint32Array {
  const {starts, lengths} = runsOf(keys);
  return starts.map((start, k) => {
    let total = values[start];
    for (let i = start + 1; i < start + lengths[k]; i++) total = combineWords(operator, element, total, values[i]);
    return total;
  });
}

/** The words as a typed array of an element type, and back. */
export function typed<E extends Element>(element: E, from: Uint32Array): ElementArrays[E] {
  const result = elementArray(element, from.length);
  new Uint32Array(result.buffer).set(from);
  return result;
}
export function raw(from: Uint32Array | Int32Array | Float32Array): Uint32Array {
  return new Uint32Array(from.buffer, from.byteOffset, from.length);
}
