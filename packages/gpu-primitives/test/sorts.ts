import type {Cooperation, RadixSort, RadixSortOptions, SortBuffers, SortKey} from '@epsball/gpu-primitives';
import {expectStableOrder, expectWords} from './reference.ts';
import type {Session} from './session.ts';

/** What a sort moves, and the type of its keys. */
export interface SortVariant extends Required<RadixSortOptions> {
  readonly key: SortKey;
}

export interface BitRange {
  readonly beginBit?: number;
  readonly endBit?: number;
}

/** `keys` in the order of `places`. */
function keysAt(keys: Uint32Array, places: Uint32Array, keyWords: number): Uint32Array {
  const result = new Uint32Array(places.length * keyWords);
  for (let k = 0; k < places.length; k++) {
    for (let w = 0; w < keyWords; w++) result[k * keyWords + w] = keys[places[k] * keyWords + w];
  }
  return result;
}

/** Sorts `host` and fails unless the result is the stable order: values and keys in place. */
export async function expectSorted(
  session: Session,
  sort: RadixSort<SortKey>,
  {key, values}: Pick<SortVariant, 'key' | 'values'>,
  host: Uint32Array,
  range: BitRange = {},
  what: string | number = '',
): Promise<void> {
  const keyWords = key === 'u64' ? 2 : 1;
  const count = host.length / keyWords;
  const positions = new Uint32Array(values === 'words' ? count : 0);
  for (let i = 0; i < positions.length; i++) positions[i] = i;
  const valuesIn =
    values === 'words' ? await session.buffer(positions) : await session.buffer(values === 'none' ? 0 : count);
  const input: Required<SortBuffers> = {keys: await session.buffer(host), values: valuesIn};
  const other: Required<SortBuffers> = {
    keys: await session.buffer(host.length),
    values: await session.buffer(values === 'none' ? 0 : count),
  };
  let sorted = {keys: await session.buffer(0), values: await session.buffer(0)};
  await session.run((pass) => {
    const result = sort.encode(pass, {input, other, count, ...range});
    const isInput = result === input;
    sorted = isInput
      ? {keys: bufferOf(input.keys), values: valuesIn}
      : {keys: bufferOf(other.keys), values: bufferOf(other.values)};
  });
  const keys = await session.read(sorted.keys, new Uint32Array(host.length));
  if (values === 'none') {
    expectWords(keys, sortedAlone(host, key), `${what} keys`);
  } else {
    const places = await session.read(sorted.values, new Uint32Array(count));
    // Without passes, an argsort of no keys writes nothing.
    expectStableOrder(host, places, {element: key, ...range}, what);
    expectWords(keys, keysAt(host, places, keyWords), `${what} keys`);
  }
  session.clear();
}

function bufferOf(bindable: SortBuffers['keys']): GPUBuffer {
  if ('buffer' in bindable) throw new Error('a whole buffer was expected');
  return bindable;
}

/** All bits of the keys in order, by JavaScript's sort. */
function sortedAlone(host: Uint32Array, key: SortKey): Uint32Array {
  if (key === 'u64') return new Uint32Array(new BigUint64Array(host.slice().buffer).sort().buffer);
  if (key === 'i32') return new Uint32Array(new Int32Array(host.slice().buffer).sort().buffer);
  if (key === 'u32') return host.toSorted();
  const flip = (word: number): number => (word >>> 31 === 1 ? ~word : word ^ 0x8000_0000);
  const back = (word: number): number => (word >>> 31 === 1 ? word ^ 0x8000_0000 : ~word);
  return host.map(flip).sort().map(back);
}

/** Keys that may expose errors or slow paths of a sort. */
export function hostileKeys(count: number): [what: string, keys: Uint32Array][] {
  const make = (keyAt: (i: number) => number): Uint32Array => Uint32Array.from({length: count}, (_, i) => keyAt(i));
  return [
    ['all 0', make(() => 0)],
    ['all equal', make(() => 0x1234_5678)],
    ['all the largest', make(() => 0xffff_ffff)],
    ['ascending', make((i) => i * 7)],
    ['descending', make((i) => 0xffff_ffff - i * 7)],
    ['two values in turn', make((i) => (i % 2 === 0 ? 0xffff_ffff : 0))],
    ['two values in halves', make((i) => (2 * i < count ? 0x80 : 0x7f))],
    ['a digit per lane', make((i) => (i % 256) * 0x0101_0101)],
    ['a digit per lane of 32', make((i) => (i % 32) << 3)],
    ['a digit per row', make((i) => (i >>> 5) % 256)],
    ['a digit per item of a lane', make((i) => ((i >>> 8) % 12) << 8)],
    ['one key that differs', make((i) => (i === count - 1 ? 0 : 0xff00_ff00))],
    ['nearly the largest digits', make((i) => 0xff - (i % 2))],
  ];
}

/** The cooperation of a sort on this adapter, for the option `cooperation`. */
export function expectedCooperation({gpu}: Session, cooperation: Cooperation): Cooperation {
  const hasSubgroups = gpu.device.features.has('subgroups') && gpu.info.subgroupMinSize >= 4;
  return cooperation === 'subgroups' && !hasSubgroups ? 'workgroups' : cooperation;
}
