import type {Axis, DbscanKey} from '@epsball/benchmarks';
import {formatCount} from '@epsball/cli/command';

/** One row of a section's table: a data set with its parameters, and a thread count where threads are the axis. */
export type Place = Omit<DbscanKey, 'row' | 'backend' | 'options'>;

/** How a report shows what a suite varies. */
export interface AxisView {
  /** Head of the table's first column and title of the charts' horizontal axis. */
  readonly title: string;
  readonly isNumber: boolean;
  /** The charts' horizontal axis is logarithmic. */
  readonly isLog: boolean;
  /** Position on the axis; 0 for every place of an axis without numbers. */
  readonly valueOf: (place: Place) => number;
  /** Alone, for a table: `1,000`. */
  readonly format: (place: Place) => string;
  /** In a sentence: `1,000 points`, `eps 0.1`. */
  readonly describe: (place: Place) => string;
}

export const AXES: Readonly<Record<Axis, AxisView>> = {
  n: numbers(
    'points',
    true,
    ({n}) => n,
    ({n}) => `${formatCount(n)} points`,
  ),
  eps: numbers(
    'eps',
    false,
    ({eps}) => eps,
    ({eps}) => `eps ${eps}`,
  ),
  minPts: numbers(
    'minPts',
    true,
    ({minPts}) => minPts,
    ({minPts}) => `minPts ${minPts}`,
  ),
  dim: numbers(
    'dimensions',
    true,
    ({dim}) => dim,
    ({dim}) => `${dim} dimensions`,
  ),
  threads: numbers(
    'threads',
    false,
    ({threads}) => threads,
    ({threads}) => `${threads} threads`,
  ),
  dataset: {
    title: 'data',
    isNumber: false,
    isLog: false,
    valueOf: () => 0,
    format: describeData,
    describe: describeData,
  },
};

function numbers(
  title: string,
  isLog: boolean,
  valueOf: (place: Place) => number,
  describe: (place: Place) => string,
): AxisView {
  // Counts have thousands separators; eps may be any fraction.
  const format = (place: Place): string => (title === 'eps' ? String(valueOf(place)) : formatCount(valueOf(place)));
  return {title, isNumber: true, isLog, valueOf, format, describe};
}

/** `milanesi, 20,000 × 2, eps 0.03` */
function describeData({dataset, n, dim, eps}: Place): string {
  const [generator] = dataset.split(':', 1);
  return `${generator}, ${formatCount(n)} × ${dim}, eps ${eps}`;
}
