import {InvalidParameterError} from '@epsball/clustering';

/** Kernels store the keys of a query in one vector of four. */
const MAX_LEVELS = 4;
/** Levels in the paper (section 6). */
const DEFAULT_LEVELS = 3;
/** “In our experiments, we used a 3-level directory with fanout 16.” */
const DEFAULT_FANOUT = 16;
/** Limits the table of leaves, which should be small relative to the points. */
const MAX_LEAVES = 2 ** 20;

export interface DirectoryShapeOptions {
  /**
   * Levels, one axis each; integer, 1 … 4. Points of fewer dimensions have as many levels as dimensions. Default: 3.
   */
  readonly levels?: number | undefined;
  /** Partitions of a node; integer ≥ 2, with fanout ^ levels ≤ 2^20. Default: 16. */
  readonly fanout?: number | undefined;
}

export interface DirectoryShape {
  readonly levels: number;
  readonly fanout: number;
  /** fanout ^ levels */
  readonly leaves: number;
  /** Nodes of all levels, without the root. */
  readonly nodes: number;
}

/**
 * Checks options, fills in defaults, and limits the levels to the dimensions.
 *
 * @param dim  dimensions of the points; `Infinity` checks options before the points are known
 * @throws InvalidParameterError  if an option is out of range
 */
export function directoryShape(dim: number, options: DirectoryShapeOptions = {}): DirectoryShape {
  const {levels: requested = DEFAULT_LEVELS, fanout = DEFAULT_FANOUT} = options;
  if (!Number.isInteger(requested) || requested < 1 || requested > MAX_LEVELS) {
    throw new InvalidParameterError('levels', requested, `an integer, 1 … ${MAX_LEVELS}`);
  }
  const levels = Math.min(requested, dim);
  if (!Number.isInteger(fanout) || fanout < 2 || fanout ** levels > MAX_LEAVES) {
    const most = Math.floor(MAX_LEAVES ** (1 / levels) + 1e-9);
    throw new InvalidParameterError('fanout', fanout, `an integer, 2 … ${most} with ${levels} levels`);
  }
  return {levels, fanout, leaves: fanout ** levels, nodes: levelStart(levels, fanout)};
}

/** Index of the first node of a level in arrays of all levels, one after the other. */
export function levelStart(level: number, fanout: number): number {
  return (fanout ** (level + 1) - fanout) / (fanout - 1);
}

/**
 * Quantiles: child j of a node with positions [s, e) begins at s + floor(j · (e − s) / fanout). Ranks determine the
 * partitions, so equal coordinates may lie in two of them, and with few points some are empty.
 */
export function leafStarts(n: number, {levels, fanout, leaves}: DirectoryShape): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(leaves + 1);
  starts[leaves] = n;
  // From coarse to fine: each level reads the starts that the level above has written.
  for (let level = 0, span = leaves; level < levels; level++, span /= fanout) {
    const child = span / fanout;
    for (let first = 0; first < leaves; first += span) {
      const begin = starts[first];
      const length = starts[first + span] - begin;
      for (let j = 1; j < fanout; j++) starts[first + j * child] = begin + Math.floor((j * length) / fanout);
    }
  }
  return starts;
}
