import {InvalidParameterError} from '@epsball/clustering';

/** What finds the candidates around a seed: all points (CUDA-DClust), or a directory by quantiles (CUDA-DClust*). */
export const DCLUST_INDEXES = ['directory', 'none'] as const;
export type DclustIndex = (typeof DCLUST_INDEXES)[number];

/** Rows and columns of the collision matrix, at most. */
const MAX_CHAINS = 4096;
/** Places of one seed list, at most. */
const MAX_SEED_LENGTH = 1_048_576;
/** Levels that a directory may have. */
const MAX_LEVELS = 4;

/** Choices of an instance; labels are the same for all of them. */
export interface DclustOptions {
  /** `directory` unless given. Few points are searched without one, unless `fanout`, `levels` or `pca` is given: fewer than 15,276 of 8 dimensions. */
  readonly index?: DclustIndex | undefined;
  /** Chains expanded at the same time (p), one workgroup each; integer, 1 … 4096. 1024 on hardware, 8 on a software adapter. */
  readonly chains?: number | undefined;
  /** Places of a chain's seed list (maxSeedLength); integer, 1 … 2^20. 1024 unless given, as in the paper. */
  readonly seedLength?: number | undefined;
  /** Levels of the directory; integer, 1 … 4, taken down to the dimensions of the points. 3 unless given. */
  readonly levels?: number | undefined;
  /**
   * Partitions of a node of the directory; integer ≥ 2, with at most 2^20 leaves in all. 16 unless given, as in the paper, and
   * less where leaves would hold fewer than 16 points.
   */
  readonly fanout?: number | undefined;
  /** Whether the directory orders points by their principal components. Distances stay those of the coordinates. */
  readonly pca?: boolean | undefined;
  /**
   * Device memory for neighbours of seeds that are not yet known to be core, beyond 1024 of a chain; integer ≥ 0. Where it is
   * too little for a large minPts, core points are looked at twice. 64 MiB unless given, and only taken where minPts wants it.
   */
  readonly quarantineBytes?: number | undefined;
  /**
   * Whether every kernel is timed by itself, where the adapter has timestamps (the paper's Figure 8): counters
   * `expansionMs`, `newSeedsMs`, `seedRefillMs`. Slower, because the host looks more often.
   */
  readonly kernelTimes?: boolean | undefined;
}

/** Options with every default filled in. */
export interface DclustSettings {
  readonly index: DclustIndex;
  readonly chains: number;
  readonly seedLength: number;
  readonly levels: number;
  readonly fanout: number | undefined;
  readonly pca: boolean;
  /** Who asks for a shape or an order of the directory has one for any points. */
  readonly isDirectoryAsked: boolean;
  readonly quarantineBytes: number;
  readonly kernelTimes: boolean;
}

/**
 * Fills in defaults.
 *
 * @param defaultChains  by the adapter
 * @throws InvalidParameterError  if an option is out of range
 */
export function settleOptions(options: DclustOptions, defaultChains: number): DclustSettings {
  const {index = 'directory', chains = defaultChains, seedLength = 1024, levels = 3, fanout} = options;
  const {pca = false, quarantineBytes = 64 * 2 ** 20, kernelTimes = false} = options;
  if (!DCLUST_INDEXES.includes(index)) throw new InvalidParameterError('index', index, DCLUST_INDEXES.join(' or '));
  checkInteger('chains', chains, 1, MAX_CHAINS);
  checkInteger('seedLength', seedLength, 1, MAX_SEED_LENGTH);
  checkInteger('levels', levels, 1, MAX_LEVELS);
  if (fanout !== undefined) checkInteger('fanout', fanout, 2, 2 ** 20);
  checkInteger('quarantineBytes', quarantineBytes, 0, Number.MAX_SAFE_INTEGER);
  if (pca && index !== 'directory') throw new InvalidParameterError('pca', pca, 'false without a directory');
  const isDirectoryAsked = index === 'directory' && (fanout !== undefined || options.levels !== undefined || pca);
  return {index, chains, seedLength, levels, fanout, pca, isDirectoryAsked, quarantineBytes, kernelTimes};
}

function checkInteger(name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new InvalidParameterError(name, value, `an integer, ${low} … ${high}`);
}
