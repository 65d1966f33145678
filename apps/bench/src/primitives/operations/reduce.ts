import {ArgReduce, Reduce} from '@epsball/gpu-primitives';
import {bitsOf} from '../check.ts';
import {fractions, noise, smallWholes} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

export const reduceSumF32: Operation = defineOperation({
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

export const reduceMaxU32: Operation = defineOperation({
  input: (count) => ({values: noise(count)}),
  output: () => ({maximum: new Uint32Array(1)}),
  create: (gpu) => Reduce.create(gpu, {operator: 'max', element: 'u32'}),
  encode: (reduce, pass, buffer, count) =>
    reduce.encode(pass, {input: buffer('values'), output: buffer('maximum'), count}),
  run: async (reduce, {values}) => ({maximum: Uint32Array.of(await reduce.run(values))}),
  javascript: ({values}) => {
    let maximum = 0;
    for (let i = 0; i < values.length; i++) maximum = Math.max(maximum, values[i]);
    return {maximum: Uint32Array.of(maximum)};
  },
});

export const reduceMinI32: Operation = defineOperation({
  input: (count) => ({values: new Int32Array(noise(count).buffer)}),
  output: () => ({minimum: new Int32Array(1)}),
  create: (gpu) => Reduce.create(gpu, {operator: 'min', element: 'i32'}),
  encode: (reduce, pass, buffer, count) =>
    reduce.encode(pass, {input: buffer('values'), output: buffer('minimum'), count}),
  run: async (reduce, {values}) => ({minimum: Int32Array.of(await reduce.run(values))}),
  javascript: ({values}) => {
    let minimum = 2 ** 31 - 1;
    for (let i = 0; i < values.length; i++) minimum = Math.min(minimum, values[i]);
    return {minimum: Int32Array.of(minimum)};
  },
});

/** Records of two words, of which the second counts; as many words as other operations have. */
export const reduceFieldF32: Operation = defineOperation({
  input: (count) => ({records: smallWholes(count)}),
  output: () => ({sum: new Float32Array(1)}),
  create: (gpu) => Reduce.create(gpu, {operator: 'sum', element: 'f32'}),
  encode: (reduce, pass, buffer, count) =>
    reduce.encode(pass, {
      input: buffer('records'),
      output: buffer('sum'),
      count: Math.floor(count / 2),
      stride: 2,
      field: 1,
    }),
  javascript: ({records}) => {
    let sum = 0;
    for (let i = 1; i < records.length; i += 2) sum += records[i];
    return {sum: Float32Array.of(sum)};
  },
});

export const argminF32: Operation = argReduceF32('min', (values) => {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i] < values[index]) index = i;
  return index;
});

export const argmaxF32: Operation = argReduceF32('max', (values) => {
  let index = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[index]) index = i;
  return index;
});

/** @param indexOf  the plain JavaScript: a loop for each comparison, so that no comparison is a call */
function argReduceF32(operator: 'min' | 'max', indexOf: (values: Float32Array) => number): Operation {
  return defineOperation({
    input: (count) => ({values: fractions(count)}),
    // Index and value.
    output: () => ({found: new Uint32Array(2)}),
    create: (gpu) => ArgReduce.create(gpu, {operator, element: 'f32'}),
    encode: (search, pass, buffer, count) =>
      search.encode(pass, {input: buffer('values'), output: buffer('found'), count}),
    run: async (search, {values}) => {
      const {index, value} = await search.run(values);
      return {found: foundWords(index, value)};
    },
    javascript: ({values}) => {
      const index = indexOf(values);
      return {found: foundWords(index, values[index])};
    },
  });
}

function foundWords(index: number, value: number): Uint32Array {
  return Uint32Array.of(index, bitsOf(Float32Array.of(value))[0]);
}
