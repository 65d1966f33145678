import {checkInteger, checkKnownOptions, InvalidParameterError} from '@epsball/clustering';

/** The source of candidates: all points (CUDA-DClust), or a quantile directory (CUDA-DClust*). */
export const DCLUST_INDEXES = ['directory', 'none'] as const;
export type DclustIndex = (typeof DCLUST_INDEXES)[number];

/** Maximum number of rows and columns of the collision matrix (MAX_CHAINS of run.wgsl). */
export const MAX_CHAINS = 4096;

/** Options of an instance. They do not change labels. */
export interface DclustOptions {
  /**
   * Default: `directory`. Small point sets are searched without one, for example fewer than 15,276 points of 8
   * dimensions, unless `fanout`, `levels` or `pca` is set.
   */
  readonly index?: DclustIndex | undefined;
  /**
   * Chains expanded at the same time (p), one workgroup each; integer, 1 … 4096. Default: 1024, and 8 on a software
   * adapter.
   */
  readonly chains?: number | undefined;
  /** Capacity of a chain's seed list (maxSeedLength); integer, 1 … 2^20. Default: 1024, as in the paper. */
  readonly seedLength?: number | undefined;
  /** Levels of the directory; integer, 1 … 4. Default: 3. At most the number of dimensions is used. */
  readonly levels?: number | undefined;
  /**
   * Partitions per node of the directory; integer ≥ 2, with at most 2^20 leaves in total. Default: 16, as in the paper,
   * and less where leaves would hold fewer than 16 points.
   */
  readonly fanout?: number | undefined;
  /**
   * Whether the directory orders points by their principal components. Distances stay those of the coordinates.
   * Default: false.
   */
  readonly pca?: boolean | undefined;
  /**
   * Device memory for neighbours of seeds that are not yet known to be core, beyond 1024 per chain; integer ≥ 0. If it
   * is too small for a large minPts, core points take two passes. Default: 64 MiB. Allocated only as far as minPts
   * needs it.
   */
  readonly quarantineBytes?: number | undefined;
  /**
   * Whether every kernel is timed separately, if the adapter has timestamps (the paper's Figure 8): counters
   * `expansionMs`, `newSeedsMs`, `seedRefillMs`. Slower, because the host reads the state more often. Default: false.
   */
  readonly kernelTimes?: boolean | undefined;
}

export interface DclustSettings extends Filled<Omit<DclustOptions, 'fanout'>> {
  readonly fanout: number | undefined;
  /** Whether an option forces a directory, for any number of points. */
  readonly isDirectoryAsked: boolean;
}

type Filled<Options> = {readonly [Name in keyof Options]-?: NonNullable<Options[Name]>};

/** @throws InvalidParameterError  if an option is out of range */
export function settleOptions(options: DclustOptions, defaultChains: number): DclustSettings {
  checkKnownOptions(
    options,
    ['index', 'chains', 'seedLength', 'levels', 'fanout', 'pca', 'quarantineBytes', 'kernelTimes'],
    'options',
    "an object such as {index: 'directory'}",
  );
  const {index = 'directory', chains = defaultChains, seedLength = 1024, levels = 3, fanout} = options;
  const {pca = false, quarantineBytes = 64 * 2 ** 20, kernelTimes = false} = options;
  if (!DCLUST_INDEXES.includes(index)) throw new InvalidParameterError('index', index, DCLUST_INDEXES.join(' or '));
  checkInteger('chains', chains, 1, MAX_CHAINS);
  checkInteger('seedLength', seedLength, 1, 2 ** 20);
  checkInteger('levels', levels, 1, 4);
  if (fanout !== undefined) checkInteger('fanout', fanout, 2, 2 ** 20);
  checkInteger('quarantineBytes', quarantineBytes, 0, Number.MAX_SAFE_INTEGER);
  if (pca && index !== 'directory') throw new InvalidParameterError('pca', pca, 'false without a directory');
  const isDirectoryAsked = index === 'directory' && (fanout !== undefined || options.levels !== undefined || pca);
  return {index, chains, seedLength, levels, fanout, pca, isDirectoryAsked, quarantineBytes, kernelTimes};
}
