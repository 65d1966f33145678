import {RadixSort} from '@epsball/gpu-primitives';
import {mix, noise, positions} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const sortPairsU32: Operation = defineOperation({
  input: (count) => ({keys: noise(count), values: positions(count)}),
  output: (count) => ({sortedKeys: new Uint32Array(count), sortedValues: new Uint32Array(count)}),
  create: (gpu) => RadixSort.create(gpu),
  encode: (sort, pass, buffer, count) => {
    const input = {keys: buffer('keys'), values: buffer('values')};
    const other = {keys: buffer('sortedKeys'), values: buffer('sortedValues')};
    const sorted = sort.encode(pass, {input, other, count});
    return {sortedKeys: sorted.keys, sortedValues: sorted.values};
  },
  overwrites: ['keys', 'values'],
  javascript: ({keys, values}) => {
    const order = positions(keys.length).sort((a, b) => keys[a] - keys[b]);
    return {sortedKeys: order.map((i) => keys[i]), sortedValues: order.map((i) => values[i])};
  },
  check: {
    proves: 'in ascending order, each key with its own value, equal keys in their first order',
    prove: (_, {sortedKeys, sortedValues}) => proveOrder(sortedKeys, sortedValues, mix),
  },
});

/**
 * Proves a stable sort of pairs whose values were positions, in one sweep. Every position is in range and has the key
 * that it came with, and (key, position) ascends strictly: so no pair comes twice, and there are as many as there were.
 *
 * @param keyAt  the key that stood at a position, rounded as the array rounds it
 * @throws Error  that names the first place that is wrong
 */
export function proveOrder(
  keys: Uint32Array | Float32Array,
  values: Uint32Array,
  keyAt: (position: number) => number,
): void {
  for (let i = 0; i < keys.length; i++) {
    if (values[i] >= keys.length) throw new Error(`position ${values[i]} at ${i}; expected one below ${keys.length}`);
    if (keyAt(values[i]) !== keys[i]) throw new Error(`key ${keys[i]} at ${i} stands beside the position of another`);
    const isAfter = i === 0 || keys[i - 1] < keys[i] || (keys[i - 1] === keys[i] && values[i - 1] < values[i]);
    if (!isAfter) throw new Error(`key ${keys[i]} of position ${values[i]} at ${i}; expected one after ${keys[i - 1]}`);
  }
}
