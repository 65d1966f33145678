import type {ProfileName, SuiteFacts} from '../suiteFacts.ts';

/**
 * The versions. Those of the document run all iterations over all pairs: `sequential`, `workers` (its OpenMP), `naive`
 * and `tiled` (its CUDA). Ours cut the Gaussian, stop at convergence and go from points to labels: `ours-…`.
 */
export const MEAN_SHIFT_METHODS = [
  'sequential',
  'workers',
  'naive',
  'tiled',
  'ours-sequential',
  'ours-workers',
  'ours-gpu',
] as const;
export type MeanShiftMethod = (typeof MEAN_SHIFT_METHODS)[number];

/** One version, with its threads or its tile. */
export interface MeanShiftSubject {
  readonly method: MeanShiftMethod;
  /** For `workers` and for measured cells of `ours-workers`, which take all threads of the machine; otherwise 1. */
  readonly threads: number;
  /** For `tiled`; otherwise null. */
  readonly tileWidth: number | null;
}

/** How much of a suite is run, and when a cell is left out. */
export interface MeanShiftProfile {
  /** Points, ascending: those of the document. */
  readonly sizes: readonly number[];
  /** Further sizes, for the fit of slow cells only. */
  readonly fitSizes: readonly number[];
  /** For `ours-…`, beyond what all pairs allow. */
  readonly ourSizes: readonly number[];
  /** Points of the sweep over tiles beside those of the document, few enough for a software adapter. Default: none. */
  readonly tileSizes?: readonly number[] | undefined;
  /** Counted repeats of a cell on the host, and on the device. */
  readonly repeats: number;
  readonly deviceRepeats: number;
  /** A cell does not start if one run is expected to take longer. Seconds. */
  readonly cellSeconds: number;
  /** A cell ends, after at least one counted repeat, when it has taken this long. Seconds. Default: `cellSeconds`. */
  readonly repeatSeconds?: number | undefined;
  /** When the suite has taken this long, the rest is left out. Seconds. */
  readonly suiteSeconds: number;
  /** Software GPU adapters show that the code is right, not how fast it is: they get no more points than this. */
  readonly softwareGpuMaxN: number;
}

/** A time that the document states. */
export interface MeanShiftFigure {
  readonly method: MeanShiftMethod;
  readonly n: number;
  readonly tileWidth: number | null;
  readonly ms: number;
  /** The time as the document prints it: `0.334405 s`, `† 27768 s`. */
  readonly printed: string;
  /** Marked † there: from a quadratic regression. */
  readonly isEstimated: boolean;
}

/** A speed-up that the document states. It need not be the rounded quotient of the printed times. */
export interface MeanShiftFactor {
  /** The version with the longer time. */
  readonly over: MeanShiftMethod;
  readonly method: MeanShiftMethod;
  readonly n: number;
  /** As printed: `3.24`, `† 3.18`. */
  readonly printed: string;
}

/** Mean shift: methods × points × threads × tiles. */
export interface MeanShiftSuite extends SuiteFacts {
  readonly kind: 'mean-shift';
  /** Specification of the data, to which `n=…` is added. */
  readonly dataset: string;
  readonly dim: number;
  readonly bandwidth: number;
  readonly iterations: number;
  /** `lattice`: on a GPU that has room for it; elsewhere the Gaussian is cut. */
  readonly ours: {readonly bandwidth: number; readonly cut: number; readonly lattice: number};
  readonly threads: readonly number[];
  readonly tileWidths: readonly number[];
  /** Points of the sweep over tiles. */
  readonly tileSweepN: number;
  readonly profiles: Readonly<Record<ProfileName, MeanShiftProfile>>;
  readonly published: readonly MeanShiftFigure[];
  readonly publishedFactors: readonly MeanShiftFactor[];
  /** The machine of the document. */
  readonly publishedMachine: string;
}
