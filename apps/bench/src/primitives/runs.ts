import {Compact, ReduceByKey, RunBounds, RunLength, SegmentedScan} from '@epsball/gpu-primitives';
import {ascendingRuns, digits, noise, runs} from './inputs.ts';
import {defineOperation, type Operation} from './operation.ts';

export const runLengthU32: Operation = defineOperation({
  input: (count) => ({keys: runs(count)}),
  output: (count) => ({
    runCount: new Uint32Array(1),
    uniqueKeys: new Uint32Array(count),
    lengths: new Uint32Array(count),
  }),
  create: (gpu) => RunLength.create(gpu),
  encode: (runLength, pass, buffer, count) =>
    runLength.encode(pass, {
      keys: buffer('keys'),
      uniqueKeys: buffer('uniqueKeys'),
      lengths: buffer('lengths'),
      runCount: buffer('runCount'),
      count,
    }),
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
  output: (count) => ({
    runCount: new Uint32Array(1),
    uniqueKeys: new Uint32Array(count),
    totals: new Uint32Array(count),
  }),
  create: (gpu) => ReduceByKey.create(gpu),
  encode: (reduce, pass, buffer, count) =>
    reduce.encode(pass, {
      keys: buffer('keys'),
      values: buffer('values'),
      uniqueKeys: buffer('uniqueKeys'),
      totals: buffer('totals'),
      runCount: buffer('runCount'),
      count,
    }),
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
  return {
    runCount: Uint32Array.of(count),
    uniqueKeys: uniqueKeys.subarray(0, count),
    totals: totals.subarray(0, count),
  };
}

export const segmentedScanU32: Operation = defineOperation({
  input: (count) => ({keys: runs(count), values: noise(count)}),
  output: (count) => ({sums: new Uint32Array(count)}),
  create: (gpu) => SegmentedScan.create(gpu),
  encode: (scan, pass, buffer, count) =>
    scan.encode(pass, {segments: buffer('keys'), input: buffer('values'), output: buffer('sums'), count}),
  javascript: ({keys, values}) => {
    const sums = new Uint32Array(values.length);
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      if (i > 0 && keys[i] !== keys[i - 1]) sum = 0;
      sums[i] = sum;
      sum = (sum + values[i]) | 0;
    }
    return {sums};
  },
});

export const runBoundsU32: Operation = defineOperation({
  input: (count) => ({keys: ascendingRuns(count)}),
  // A key a run, so no more keys than elements.
  output: (count) => ({starts: new Uint32Array(count), ends: new Uint32Array(count)}),
  create: (gpu) => RunBounds.create(gpu),
  encode: (bounds, pass, buffer, count) =>
    bounds.encode(pass, {
      keys: buffer('keys'),
      starts: buffer('starts'),
      ends: buffer('ends'),
      count,
      keyCount: count,
    }),
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
    output: (count) => ({keptCount: new Uint32Array(1), selected: new Uint32Array(count)}),
    create: (gpu) => Compact.create(gpu, {isPartition}),
    encode: (compact, pass, buffer, count) =>
      compact.encode(pass, {
        flags: buffer('flags'),
        values: buffer('values'),
        output: buffer('selected'),
        keptCount: buffer('keptCount'),
        count,
      }),
    run: async (compact, {flags, values}) => {
      const {values: selected, keptCount} = await compact.run(flags, values);
      return {keptCount: Uint32Array.of(keptCount), selected};
    },
    javascript: ({flags, values}) => {
      // Loops, not `filter`: that keeps its results in a list, which ends the process beyond 2^27 of them.
      const selected = new Uint32Array(values.length);
      let next = 0;
      for (let i = 0; i < values.length; i++) if (flags[i] !== 0) selected[next++] = values[i];
      const keptCount = Uint32Array.of(next);
      if (!isPartition) return {keptCount, selected: selected.subarray(0, next)};
      for (let i = 0; i < values.length; i++) if (flags[i] === 0) selected[next++] = values[i];
      return {keptCount, selected};
    },
  });
}
