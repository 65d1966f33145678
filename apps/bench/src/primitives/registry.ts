import type {PrimitiveId} from '@epsball/benchmarks';
import {ArgReduce, Gather, Histogram, Reduce, Scan, Scatter} from '@epsball/gpu-primitives';
import {digits, floats, fractions, noise, shuffled, smallWholes, words} from './inputs.ts';
import {bitsOf, defineOperation, type Operation} from './operation.ts';
import {compactU32, partitionU32, reduceByKeyU32, runBoundsU32, runLengthU32, segmentedScanU32} from './runs.ts';
import {argsortU32, sortKeysU32, sortKeysU64, sortPairsF32, sortPairsU32} from './sorts.ts';

const reduceSumF32 = defineOperation({
  input: (count) => ({input: smallWholes(count)}),
  output: () => ({output: floats(1)}),
  create: (gpu) => Reduce.create(gpu, {operator: 'sum', element: 'f32'}),
  encode: (reduce, pass, buffers) => reduce.encode(pass, buffers),
  run: async (reduce, {input}) => ({output: Float32Array.of(await reduce.run(input))}),
  javascript: ({input}) => {
    let sum = 0;
    for (let i = 0; i < input.length; i++) sum += input[i];
    return {output: Float32Array.of(sum)};
  },
});

const argminF32 = defineOperation({
  input: (count) => ({input: fractions(count)}),
  // Index and value.
  output: () => ({output: words(2)}),
  create: (gpu) => ArgReduce.create(gpu, {operator: 'min', element: 'f32'}),
  encode: (search, pass, buffers) => search.encode(pass, buffers),
  javascript: ({input}) => {
    let index = 0;
    for (let i = 1; i < input.length; i++) if (input[i] < input[index]) index = i;
    return {output: Uint32Array.of(index, bitsOf(Float32Array.of(input[index]))[0])};
  },
});

const scanExclusiveU32 = defineOperation({
  input: (count) => ({input: noise(count)}),
  output: (count) => ({output: words(count)}),
  create: (gpu) => Scan.create(gpu),
  encode: (scan, pass, buffers) => scan.encode(pass, buffers),
  run: async (scan, {input}) => ({output: await scan.run(input)}),
  javascript: ({input}) => {
    const output = new Uint32Array(input.length);
    let sum = 0;
    for (let i = 0; i < input.length; i++) {
      output[i] = sum;
      sum = (sum + input[i]) | 0;
    }
    return {output};
  },
});

const scanInclusiveF32 = defineOperation({
  input: (count) => ({input: smallWholes(count)}),
  output: (count) => ({output: floats(count)}),
  create: (gpu) => Scan.create(gpu, {element: 'f32', isInclusive: true}),
  encode: (scan, pass, buffers) => scan.encode(pass, buffers),
  run: async (scan, {input}) => ({output: await scan.run(input)}),
  javascript: ({input}) => {
    const output = new Float32Array(input.length);
    let sum = 0;
    for (let i = 0; i < input.length; i++) {
      sum += input[i];
      output[i] = sum;
    }
    return {output};
  },
});

/** Words that are the numbers of their bins, all bins as likely. */
const histogram256U32 = defineOperation({
  input: (count) => ({input: digits(count, 8)}),
  output: () => ({counts: words(256)}),
  create: (gpu) => Histogram.create(gpu),
  encode: (histogram, pass, buffers) => histogram.encode(pass, {...buffers, bins: 256}),
  javascript: ({input}) => {
    const counts = new Uint32Array(256);
    for (let i = 0; i < input.length; i++) counts[input[i]]++;
    return {counts};
  },
});

const gatherU32 = defineOperation({
  input: (count) => ({input: noise(count), indices: shuffled(count)}),
  output: (count) => ({output: words(count)}),
  create: (gpu) => Gather.create(gpu),
  encode: (gather, pass, buffers) => gather.encode(pass, {...buffers, inputCount: buffers.count}),
  javascript: ({input, indices}) => {
    const output = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) output[i] = input[indices[i]];
    return {output};
  },
});

const scatterU32 = defineOperation({
  input: (count) => ({input: noise(count), indices: shuffled(count)}),
  output: (count) => ({output: words(count)}),
  create: (gpu) => Scatter.create(gpu),
  encode: (scatter, pass, buffers) => scatter.encode(pass, {...buffers, outputCount: buffers.count}),
  javascript: ({input, indices}) => {
    const output = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) output[indices[i]] = input[i];
    return {output};
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
