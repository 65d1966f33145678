import {ReduceByKey, RunBounds, RunLength, SegmentedScan} from '@epsball/gpu-primitives';
import {ascendingRuns, noise, runs} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

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
    const [uniqueKeys, lengths] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
    let count = 0;
    for (let i = 0; i < keys.length; i++) {
      if (i === 0 || keys[i] !== keys[i - 1]) uniqueKeys[count++] = keys[i];
      lengths[count - 1]++;
    }
    return {
      runCount: Uint32Array.of(count),
      uniqueKeys: uniqueKeys.subarray(0, count),
      lengths: lengths.subarray(0, count),
    };
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
  run: async (reduce, {keys, values}) => {
    const {uniqueKeys, totals} = await reduce.run(keys, values);
    return {runCount: Uint32Array.of(totals.length), uniqueKeys, totals};
  },
  javascript: ({keys, values}) => {
    const [uniqueKeys, totals] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
    let count = 0;
    for (let i = 0; i < keys.length; i++) {
      if (i === 0 || keys[i] !== keys[i - 1]) uniqueKeys[count++] = keys[i];
      totals[count - 1] += values[i];
    }
    return {
      runCount: Uint32Array.of(count),
      uniqueKeys: uniqueKeys.subarray(0, count),
      totals: totals.subarray(0, count),
    };
  },
});

export const segmentedScanU32: Operation = defineOperation({
  input: (count) => ({keys: runs(count), values: noise(count)}),
  output: (count) => ({sums: new Uint32Array(count)}),
  create: (gpu) => SegmentedScan.create(gpu),
  encode: (scan, pass, buffer, count) =>
    scan.encode(pass, {segments: buffer('keys'), input: buffer('values'), output: buffer('sums'), count}),
  run: async (scan, {keys, values}) => ({sums: await scan.run(keys, values)}),
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
