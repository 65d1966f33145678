import {Compact} from '@epsball/gpu-primitives';
import {flips, noise} from '../inputs.ts';
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

export const compactU32: Operation = selection(false, ({flags, values}) => {
  const selected = values.filter((_, i) => flags[i] !== 0);
  return {keptCount: Uint32Array.of(selected.length), selected};
});

export const partitionU32: Operation = selection(true, ({flags, values}) => {
  const kept = values.filter((_, i) => flags[i] !== 0);
  const selected = new Uint32Array(values.length);
  selected.set(kept);
  selected.set(
    values.filter((_, i) => flags[i] === 0),
    kept.length,
  );
  return {keptCount: Uint32Array.of(kept.length), selected};
});

function selection(isPartition: boolean, javascript: (input: Flagged) => Selected): Operation {
  return defineOperation({
    input: (count): Flagged => ({flags: flips(count), values: noise(count)}),
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
