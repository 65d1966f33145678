import type {OptionRule} from '@epsball/clustering/catalogue';

/** Leaves of a directory by quantiles, at most. */
export const MAX_LEAVES: number = 2 ** 20;

export const LEAVES_RULE: OptionRule = {
  words: `fanout ^ levels ≤ ${MAX_LEAVES}`,
  holds: ({fanout, levels}) => fanout === 'auto' || Number(fanout) ** Number(levels) <= MAX_LEAVES,
};
