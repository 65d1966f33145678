import {RadixSort, type SortKey} from '@epsball/gpu-primitives';
import {floats, fractionAt, fractions, mapWords, mix, noise, positions, unmix, wideNoise, words} from './inputs.ts';
import {defineOperation, type Buffers, type Operation} from './operation.ts';
import {proveOrder, proveWideOrder} from './proveOrder.ts';

export const sortPairsU32: Operation = defineOperation({
  input: (count) => ({keys: noise(count), values: positions(count)}),
  output: (count) => ({sortedKeys: words(count), sortedValues: words(count)}),
  create: (gpu) => RadixSort.create(gpu),
  encode: encodePairs,
  overwrites: ['keys', 'values'],
  run: async (sort, {keys, values}) => {
    const sorted = await sort.run(keys, values);
    return {sortedKeys: sorted.keys, sortedValues: sorted.values};
  },
  javascript: ({keys, values}) => {
    const order = positions(keys.length).sort((a, b) => keys[a] - keys[b]);
    return {sortedKeys: order.map((i) => keys[i]), sortedValues: order.map((i) => values[i])};
  },
  prove: ({sortedKeys, sortedValues}) => proveOrder(sortedKeys, sortedValues, mix),
});

export const sortPairsF32: Operation = defineOperation({
  input: (count) => ({keys: fractions(count), values: positions(count)}),
  output: (count) => ({sortedKeys: floats(count), sortedValues: words(count)}),
  create: (gpu) => RadixSort.create(gpu, {key: 'f32'}),
  encode: encodePairs,
  overwrites: ['keys', 'values'],
  javascript: ({keys, values}) => {
    const order = positions(keys.length).sort((a, b) => keys[a] - keys[b]);
    const sortedKeys = new Float32Array(keys.length);
    for (let i = 0; i < keys.length; i++) sortedKeys[i] = keys[order[i]];
    return {sortedKeys, sortedValues: order.map((i) => values[i])};
  },
  prove: ({sortedKeys, sortedValues}) => proveOrder(sortedKeys, sortedValues, fractionAt),
});

export const sortKeysU32: Operation = defineOperation({
  input: (count) => ({keys: noise(count)}),
  output: (count) => ({sortedKeys: words(count)}),
  create: (gpu) => RadixSort.create(gpu, {values: 'none'}),
  encode: encodeKeys,
  overwrites: ['keys'],
  run: async (sort, {keys}) => ({sortedKeys: (await sort.run(keys)).keys}),
  javascript: ({keys}) => ({sortedKeys: keys.toSorted()}),
  // Keys are all different, so each comes from one position.
  prove: ({sortedKeys}) => proveOrder(sortedKeys, mapWords(sortedKeys, unmix), mix),
});

export const sortKeysU64: Operation = defineOperation({
  input: (count) => ({keys: wideNoise(count)}),
  output: (count) => ({sortedKeys: words(2 * count)}),
  create: (gpu) => RadixSort.create(gpu, {key: 'u64', values: 'none'}),
  encode: encodeKeys,
  overwrites: ['keys'],
  run: async (sort, {keys}) => {
    const sorted = await sort.run(new BigUint64Array(keys.buffer));
    return {sortedKeys: new Uint32Array(sorted.keys.buffer)};
  },
  javascript: ({keys}) => {
    const sortedKeys = keys.slice();
    // The low word comes first here too: every platform of Node is little-endian.
    new BigUint64Array(sortedKeys.buffer).sort();
    return {sortedKeys};
  },
  prove: ({sortedKeys}) => proveWideOrder(sortedKeys),
});

export const argsortU32: Operation = defineOperation({
  input: (count) => ({keys: noise(count)}),
  output: (count) => ({order: words(count)}),
  scratch: ['otherKeys', 'otherOrder'],
  create: (gpu) => RadixSort.create(gpu, {values: 'index'}),
  encode: (sort, pass, {keys, order, otherKeys, otherOrder, count}) => {
    const [input, other] = [
      {keys, values: order},
      {keys: otherKeys, values: otherOrder},
    ];
    return {order: sort.encode(pass, {input, other, count}).values};
  },
  overwrites: ['keys'],
  run: async (sort, {keys}) => ({order: (await sort.run(keys)).values}),
  javascript: ({keys}) => ({order: positions(keys.length).sort((a, b) => keys[a] - keys[b])}),
  prove: ({order}) => proveOrder(mapWords(order, mix), order, mix),
});

function encodePairs<Key extends SortKey>(
  sort: RadixSort<Key>,
  pass: GPUComputePassEncoder,
  {keys, values, sortedKeys, sortedValues, count}: Buffers<'keys' | 'values' | 'sortedKeys' | 'sortedValues'>,
): {sortedKeys: GPUBuffer; sortedValues: GPUBuffer} {
  const other = {keys: sortedKeys, values: sortedValues};
  const sorted = sort.encode(pass, {input: {keys, values}, other, count});
  return {sortedKeys: sorted.keys, sortedValues: sorted.values};
}

function encodeKeys<Key extends SortKey>(
  sort: RadixSort<Key>,
  pass: GPUComputePassEncoder,
  {keys, sortedKeys, count}: Buffers<'keys' | 'sortedKeys'>,
): {sortedKeys: GPUBuffer} {
  return {sortedKeys: sort.encode(pass, {input: {keys}, other: {keys: sortedKeys}, count}).keys};
}
