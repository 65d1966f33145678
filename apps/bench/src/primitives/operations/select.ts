import {Compact} from '@epsball/gpu-primitives';
import {flips, noise} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const compactU32: Operation = defineOperation({
  input: (count) => ({flags: flips(count), values: noise(count)}),
  output: (count) => ({keptCount: new Uint32Array(1), kept: new Uint32Array(count)}),
  create: (gpu) => Compact.create(gpu),
  encode: (compact, pass, buffer, count) =>
    compact.encode(pass, {
      flags: buffer('flags'),
      values: buffer('values'),
      output: buffer('kept'),
      keptCount: buffer('keptCount'),
      count,
    }),
  run: async (compact, {flags, values}) => {
    const {values: kept, keptCount} = await compact.run(flags, values);
    return {keptCount: Uint32Array.of(keptCount), kept};
  },
  javascript: ({flags, values}) => {
    const kept = values.filter((_, i) => flags[i] !== 0);
    return {keptCount: Uint32Array.of(kept.length), kept};
  },
});
