import {Scan} from '@epsball/gpu-primitives';
import {noise, smallWholes} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const scanExclusiveU32: Operation = defineOperation({
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

export const scanInclusiveF32: Operation = defineOperation({
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

export const scanInclusiveI32: Operation = defineOperation({
  input: (count) => ({values: new Int32Array(noise(count).buffer)}),
  output: (count) => ({maxima: new Int32Array(count)}),
  create: (gpu) => Scan.create(gpu, {operator: 'max', element: 'i32', isInclusive: true}),
  encode: (scan, pass, buffer, count) => scan.encode(pass, {input: buffer('values'), output: buffer('maxima'), count}),
  run: async (scan, {values}) => ({maxima: await scan.run(values)}),
  javascript: ({values}) => {
    const maxima = new Int32Array(values.length);
    let maximum = -(2 ** 31);
    for (let i = 0; i < values.length; i++) {
      maximum = Math.max(maximum, values[i]);
      maxima[i] = maximum;
    }
    return {maxima};
  },
});
