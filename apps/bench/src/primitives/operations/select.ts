import {Compact} from '@epsball/gpu-primitives';
import {digits, noise} from '../inputs.ts';
import {defineOperation, type Operation} from '../operation.ts';

/** Flags and the values that they belong to. */
interface Flagged {
  readonly [name: string]: Uint32Array;
  readonly flags: Uint32Array;
  readonly values: Uint32Array;
}

/** The selected values, and how many of them are kept. */
interface Selected {
  readonly [name: string]: Uint32Array;
  readonly keptCount: Uint32Array;
  readonly selected: Uint32Array;
}

// Loops, not `filter`: that keeps its results in a list, which ends the process beyond 2^27 of them.

export const compactU32: Operation = selection(false, ({flags, values}) => {
  const selected = new Uint32Array(values.length);
  let kept = 0;
  for (let i = 0; i < values.length; i++) {
    if (flags[i] !== 0) selected[kept++] = values[i];
  }
  return {keptCount: Uint32Array.of(kept), selected: selected.subarray(0, kept)};
});

export const partitionU32: Operation = selection(true, ({flags, values}) => {
  let kept = 0;
  for (let i = 0; i < flags.length; i++) {
    if (flags[i] !== 0) kept++;
  }
  const selected = new Uint32Array(values.length);
  let [nextKept, nextDropped] = [0, kept];
  for (let i = 0; i < values.length; i++) {
    if (flags[i] !== 0) selected[nextKept++] = values[i];
    else selected[nextDropped++] = values[i];
  }
  return {keptCount: Uint32Array.of(kept), selected};
});

function selection(isPartition: boolean, javascript: (input: Flagged) => Selected): Operation {
  return defineOperation({
    input: (count): Flagged => ({flags: digits(count, 1), values: noise(count)}),
    output: (count): Selected => ({keptCount: new Uint32Array(1), selected: new Uint32Array(count)}),
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
    javascript,
  });
}
