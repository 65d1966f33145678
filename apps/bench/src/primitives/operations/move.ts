import {Gather, Scatter} from '@epsball/gpu-primitives';
import {noise, shuffled} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const gatherU32: Operation = defineOperation({
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
  run: async (gather, {values, indices}) => ({
    gathered: await gather.run(values, indices, new Uint32Array(indices.length)),
  }),
  javascript: ({values, indices}) => {
    const gathered = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) gathered[i] = values[indices[i]];
    return {gathered};
  },
});

export const scatterU32: Operation = defineOperation({
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
  run: async (scatter, {values, indices}) => ({
    scattered: await scatter.run(values, indices, new Uint32Array(indices.length)),
  }),
  javascript: ({values, indices}) => {
    const scattered = new Uint32Array(indices.length);
    for (let i = 0; i < indices.length; i++) scattered[indices[i]] = values[i];
    return {scattered};
  },
});
