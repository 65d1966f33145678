import {VARIANT_METRICS, type VariantMetric} from '@epsball/clustering';
import type {OptionRule} from '@epsball/clustering/catalogue';

/** Leaves of a directory by quantiles, at most. */
const MAX_LEAVES: number = 2 ** 20;

const LEAVES_RULE: OptionRule = {
  words: `fanout ^ levels ≤ ${MAX_LEAVES}`,
  holds: ({fanout, levels}) => fanout === 'auto' || Number(fanout) ** Number(levels) <= MAX_LEAVES,
};

export const PDS_INDEX = {
  description: 'index for neighbours; auto is the grid up to 4 dimensions, a k-d tree up to 64; none tests all pairs',
  values: ['auto', 'grid', 'tree', 'none'],
  defaultValue: 'auto',
} as const;

export const GRAPH_INDEX = {
  description: 'index for neighbours; auto is the grid up to 4 dimensions, none tests all pairs',
  values: ['auto', 'grid', 'none'],
  defaultValue: 'auto',
} as const;

/* oxlint-disable typescript/no-unnecessary-type-assertion -- isolated declarations need the types of variables */

/** The shape of a directory by quantiles, for rows that take it as their index. */
export const DIRECTORY_OPTIONS = {
  levels: {description: 'levels of the directory, one axis each', min: 1, max: 4, defaultValue: 3},
  fanout: {
    description: 'partitions of a node of the directory',
    min: 2,
    max: MAX_LEAVES as typeof MAX_LEAVES,
    defaultValue: 16,
    rule: LEAVES_RULE as typeof LEAVES_RULE,
  },
  pca: {
    description: 'whether principal components order the directory',
    values: ['off', 'on'],
    defaultValue: 'off',
  },
} as const;

/** Of a backend that computes every metric, and takes weights and times. */
export const ANY_METRIC: {
  readonly metrics: readonly VariantMetric[];
  readonly weights: 'any';
  readonly maxIndexedDimInTime: number;
} = {metrics: VARIANT_METRICS, weights: 'any', maxIndexedDimInTime: 4};
