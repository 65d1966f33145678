import {Histogram} from '@epsball/gpu-primitives';
import {digits, fractions} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const histogram256: Operation = histogramOf(8);
export const histogram65536: Operation = histogramOf(16);

const EDGE_BINS = 64;
/** From −1 to 1, where the values lie; multiples of 2^-5, so JavaScript finds the bin without a search. */
const EDGES = Float32Array.from({length: EDGE_BINS + 1}, (_, k) => k / 32 - 1);

export const histogramEdgesF32: Operation = defineOperation({
  input: (count) => ({values: fractions(count), edges: EDGES}),
  output: () => ({counts: new Uint32Array(EDGE_BINS)}),
  create: (gpu) => Histogram.create(gpu, {bins: 'edges', element: 'f32'}),
  encode: (histogram, pass, buffer, count) =>
    histogram.encode(pass, {
      input: buffer('values'),
      edges: buffer('edges'),
      counts: buffer('counts'),
      bins: EDGE_BINS,
      count,
    }),
  run: async (histogram, {values, edges}) => ({counts: await histogram.run(values, edges)}),
  javascript: ({values}) => {
    const counts = new Uint32Array(EDGE_BINS);
    for (let i = 0; i < values.length; i++) counts[Math.floor((values[i] + 1) * 32)]++;
    return {counts};
  },
});

/** Words that are the numbers of their bins, all bins as likely. */
function histogramOf(bits: number): Operation {
  const bins = 2 ** bits;
  return defineOperation({
    input: (count) => ({values: digits(count, bits)}),
    output: () => ({counts: new Uint32Array(bins)}),
    create: (gpu) => Histogram.create(gpu),
    encode: (histogram, pass, buffer, count) =>
      histogram.encode(pass, {input: buffer('values'), counts: buffer('counts'), bins, count}),
    run: async (histogram, {values}) => ({counts: await histogram.run(values, bins)}),
    javascript: ({values}) => {
      const counts = new Uint32Array(bins);
      for (let i = 0; i < values.length; i++) counts[values[i]]++;
      return {counts};
    },
  });
}
