import {Histogram} from '@epsball/gpu-primitives';
import {digits} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const histogram256: Operation = histogramOf(8);
export const histogram65536: Operation = histogramOf(16);

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
