import type {PrimitiveId} from '@epsball/benchmarks';
import {ArgReduce, Gather, Histogram, Reduce, Scan, Scatter} from '@epsball/gpu-primitives';
import {digits, fractions, noise, shuffled, smallWholes} from './inputs.ts';
import {bitsOf, defineOperation, type Operation} from './operation.ts';
import {compactU32, partitionU32, reduceByKeyU32, runBoundsU32, runLengthU32, segmentedScanU32} from './runs.ts';
import {argsortU32, sortKeysU32, sortKeysU64, sortPairsF32, sortPairsU32} from './sorts.ts';

const reduceSumF32 = defineOperation({
  input: (count) => ({values: smallWholes(count)}),
  output: () => ({sum: new Float32Array(1)}),
  create: (gpu) => Reduce.create(gpu, {operator: 'sum', element: 'f32'}),
  encode: (reduce, pass, buffer, count) => reduce.encode(pass, {input: buffer('values'), output: buffer('sum'), count}),
  run: async (reduce, {values}) => ({sum: Float32Array.of(await reduce.run(values))}),
  javascript: ({values}) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[i];
    return {sum: Float32Array.of(sum)};
  },
});

const argminF32 = defineOperation({
  input: (count) => ({values: fractions(count)}),
  // Index and value.
  output: () => ({found: new Uint32Array(2)}),
  create: (gpu) => ArgReduce.create(gpu, {operator: 'min', element: 'f32'}),
  encode: (search, pass, buffer, count) =>
    search.encode(pass, {input: buffer('values'), output: buffer('found'), count}),
  javascript: ({values}) => {
    let index = 0;
    for (let i = 1; i < values.length; i++) if (values[i] < values[index]) index = i;
    return {found: Uint32Array.of(index, bitsOf(Float32Array.of(values[index]))[0])};
  },
});

const scanExclusiveU32 = defineOperation({
  input: (count) => ({values: noise(count)}),
  output: (count) => ({sums: new Uint32Array(count)}),
  create: (gpu) => Scan.create(gpu),
  encode: (scan, pass, buffer, count) => scan.encode(pass, {input: buffer('values'), output: buffer('sums'), count}),
  run: async (scan, {values}) => ({sums: await scan.run(values)}),
  javascript: ({values}) => {
    const sums = new Uint32Array(values.length);
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      sums[i] = sum;
      sum = (sum + values[i]) | 0;
    }
    return {sums};
  },
});

const scanInclusiveF32 = defineOperation({
  input: (count) => ({values: smallWholes(count)}),
  output: (count) => ({sums: new Float32Array(count)}),
  create: (gpu) => Scan.create(gpu, {element: 'f32', isInclusive: true}),
  encode: (scan, pass, buffer, count) => scan.encode(pass, {input: buffer('values'), output: buffer('sums'), count}),
  run: async (scan, {values}) => ({sums: await scan.run(values)}),
  javascript: ({values}) => {
    const sums = new Float32Array(values.length);
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      sum += values[i];
      sums[i] = sum;
    }
    return {sums};
  },
});

/** Words that are the numbers of their bins, all bins as likely. */
const histogram256U32 = defineOperation({
  input: (count) => ({values: digits(count, 8)}),
  output: () => ({counts: new Uint32Array(256)}),
  create: (gpu) => Histogram.create(gpu),
  encode: (histogram, pass, buffer, count) =>
    histogram.encode(pass, {input: buffer('values'), counts: buffer('counts'), bins: 256, count}),
  javascript: ({values}) => {
    const counts = new Uint32Array(256);
    for (let i = 0; i < values.length; i++) counts[values[i]]++;
    return {counts};
  },
});

const gatherU32 = defineOperation({
  input: (count) => ({values: noise(count), indices: shuffled(count)}),
  output: (count) => ({gathered: new Uint32Array(count)}),
  create: (gpu) => Gather.create(gpu),
  encode: (gather, pass, buffer, count) =>
    gather.encode(pass, {
      input: buffer('values'),
      inputCount: count,
      indices: buffer('indices'),
      output: buffer('gathered'),
      count,
    }),
  javascript: ({values, indices}) => {
    const gathered = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) gathered[i] = values[indices[i]];
    return {gathered};
  },
});

const scatterU32 = defineOperation({
  input: (count) => ({values: noise(count), indices: shuffled(count)}),
  output: (count) => ({scattered: new Uint32Array(count)}),
  create: (gpu) => Scatter.create(gpu),
  encode: (scatter, pass, buffer, count) =>
    scatter.encode(pass, {
      input: buffer('values'),
      indices: buffer('indices'),
      output: buffer('scattered'),
      outputCount: count,
      count,
    }),
  javascript: ({values, indices}) => {
    const scattered = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) scattered[indices[i]] = values[i];
    return {scattered};
  },
});

/** The code of every operation that the suite lists. */
export const registry: Readonly<Record<PrimitiveId, Operation>> = {
  'reduce-sum-f32': reduceSumF32,
  'argmin-f32': argminF32,
  'scan-exclusive-u32': scanExclusiveU32,
  'scan-inclusive-f32': scanInclusiveF32,
  'sort-pairs-u32': sortPairsU32,
  'compact-u32': compactU32,
  'partition-u32': partitionU32,
  'histogram-256-u32': histogram256U32,
  'run-length-u32': runLengthU32,
  'reduce-by-key-u32': reduceByKeyU32,
  'segmented-scan-u32': segmentedScanU32,
  'run-bounds-u32': runBoundsU32,
  'gather-u32': gatherU32,
  'scatter-u32': scatterU32,
  'sort-pairs-f32': sortPairsF32,
  'sort-keys-u32': sortKeysU32,
  'sort-keys-u64': sortKeysU64,
  'argsort-u32': argsortU32,
};
