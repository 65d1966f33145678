import {Compact, ReduceByKey, RunBounds, RunLength, SegmentedScan} from '@epsball/gpu-primitives';
import {ascendingRuns, digits, noise, runs, words} from './inputs.ts';
import {defineOperation, type Operation} from './operation.ts';

export const runLengthU32: Operation = defineOperation({
  input: (count) => ({keys: runs(count)}),
  output: (count) => ({runCount: words(1), uniqueKeys: words(count), lengths: words(count)}),
  create: (gpu) => RunLength.create(gpu),
  encode: (runLength, pass, buffers) => runLength.encode(pass, buffers),
  run: async (runLength, {keys}) => {
    const {uniqueKeys, lengths} = await runLength.run(keys);
    return {runCount: Uint32Array.of(lengths.length), uniqueKeys, lengths};
  },
  javascript: ({keys}) => {
    const {runCount, uniqueKeys, totals} = sumRuns(keys, () => 1);
    return {runCount, uniqueKeys, lengths: totals};
  },
});

export const reduceByKeyU32: Operation = defineOperation({
  input: (count) => ({keys: runs(count), values: noise(count)}),
  output: (count) => ({runCount: words(1), uniqueKeys: words(count), totals: words(count)}),
  create: (gpu) => ReduceByKey.create(gpu),
  encode: (reduce, pass, buffers) => reduce.encode(pass, buffers),
  javascript: ({keys, values}) => sumRuns(keys, (i) => values[i]),
});

/** The sum of each run of equal keys. */
function sumRuns(
  keys: Uint32Array,
  valueAt: (index: number) => number,
): {runCount: Uint32Array; uniqueKeys: Uint32Array; totals: Uint32Array} {
  const [uniqueKeys, totals] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  let count = 0;
  for (let i = 0; i < keys.length; i++) {
    if (i === 0 || keys[i] !== keys[i - 1]) uniqueKeys[count++] = keys[i];
    totals[count - 1] += valueAt(i);
  }
  const [unique, sums] = [uniqueKeys.subarray(0, count), totals.subarray(0, count)];
  return {runCount: Uint32Array.of(count), uniqueKeys: unique, totals: sums};
}

export const segmentedScanU32: Operation = defineOperation({
  input: (count) => ({segments: runs(count), input: noise(count)}),
  output: (count) => ({output: words(count)}),
  create: (gpu) => SegmentedScan.create(gpu),
  encode: (scan, pass, buffers) => scan.encode(pass, buffers),
  javascript: ({segments, input}) => {
    const output = new Uint32Array(input.length);
    let sum = 0;
    for (let i = 0; i < input.length; i++) {
      if (i > 0 && segments[i] !== segments[i - 1]) sum = 0;
      output[i] = sum;
      sum = (sum + input[i]) | 0;
    }
    return {output};
  },
});

export const runBoundsU32: Operation = defineOperation({
  input: (count) => ({keys: ascendingRuns(count)}),
  // A key a run, so no more keys than elements.
  output: (count) => ({starts: words(count), ends: words(count)}),
  create: (gpu) => RunBounds.create(gpu),
  encode: (bounds, pass, buffers) => bounds.encode(pass, {...buffers, keyCount: buffers.count}),
  javascript: ({keys}) => {
    const [starts, ends] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
    for (let i = 0; i < keys.length; i++) {
      if (i === 0 || keys[i] !== keys[i - 1]) starts[keys[i]] = i;
      ends[keys[i]] = i + 1;
    }
    const keyCount = (keys.at(-1) ?? -1) + 1;
    return {starts: starts.subarray(0, keyCount), ends: ends.subarray(0, keyCount)};
  },
});

export const compactU32: Operation = selection(false);
export const partitionU32: Operation = selection(true);

function selection(isPartition: boolean): Operation {
  return defineOperation({
    input: (count) => ({flags: digits(count, 1), values: noise(count)}),
    output: (count) => ({keptCount: words(1), output: words(count)}),
    create: (gpu) => Compact.create(gpu, {isPartition}),
    encode: (compact, pass, buffers) => compact.encode(pass, buffers),
    run: async (compact, {flags, values}) => {
      const {values: output, keptCount} = await compact.run(flags, values);
      return {keptCount: Uint32Array.of(keptCount), output};
    },
    javascript: ({flags, values}) => {
      // Loops, not `filter`: that keeps its results in a list, which ends the process beyond 2^27 of them.
      const output = new Uint32Array(values.length);
      let next = 0;
      for (let i = 0; i < values.length; i++) if (flags[i] !== 0) output[next++] = values[i];
      const keptCount = Uint32Array.of(next);
      if (!isPartition) return {keptCount, output: output.subarray(0, next)};
      for (let i = 0; i < values.length; i++) if (flags[i] === 0) output[next++] = values[i];
      return {keptCount, output};
    },
  });
}
