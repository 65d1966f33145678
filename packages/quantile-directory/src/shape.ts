import {InvalidParameterError} from '@epsball/clustering';

/** Kernels hold the keys of a query in one vector of four. */
const MAX_LEVELS = 4;
/** The paper's three levels (section 6), where the points have as many axes. */
const DEFAULT_LEVELS = 3;
/** “In our experiments, we used a 3-level directory with fanout 16.” */
const DEFAULT_FANOUT = 16;
/** A table of more leaves than this is no longer small beside the points. */
const MAX_LEAVES = 2 ** 20;

export interface DirectoryShapeOptions {
  /** Levels, one axis each; integer, 1 … 4, taken down to the dimensions of the points. 3 unless given. */
  readonly levels?: number | undefined;
  /** Partitions of a node; integer ≥ 2, with at most 2^20 leaves in all. 16 unless given. */
  readonly fanout?: number | undefined;
}

export interface DirectoryShape {
  readonly levels: number;
  readonly fanout: number;
  /** fanout ^ levels */
  readonly leaves: number;
  /** Nodes of all levels, the root left out. */
  readonly nodes: number;
}

/**
 * Settles the shape for points of `dim` dimensions.
 *
 * @throws InvalidParameterError  if an option is out of range
 */
export function directoryShape(dim: number, options: DirectoryShapeOptions = {}): DirectoryShape {
  const {levels: wished = DEFAULT_LEVELS, fanout = DEFAULT_FANOUT} = options;
  if (!Number.isInteger(wished) || wished < 1 || wished > MAX_LEVELS) {
    throw new InvalidParameterError('levels', wished, `an integer, 1 … ${MAX_LEVELS}`);
  }
  const levels = Math.min(wished, dim);
  if (!Number.isInteger(fanout) || fanout < 2 || fanout ** levels > MAX_LEAVES) {
    const most = Math.floor(MAX_LEAVES ** (1 / levels) + 1e-9);
    throw new InvalidParameterError('fanout', fanout, `an integer, 2 … ${most} with ${levels} levels`);
  }
  return {levels, fanout, leaves: fanout ** levels, nodes: levelStart(levels, fanout)};
}

/** Where the nodes of a level begin in arrays that hold all levels, one after the other. */
export function levelStart(level: number, fanout: number): number {
  return (fanout ** (level + 1) - fanout) / (fanout - 1);
}

/**
 * Quantiles: the children of a node with positions [s, e) begin at s + floor(j · (e − s) / fanout). Ranks decide, never
 * values, so equal coordinates may lie on both sides of a border, and with few points some partitions are empty.
 *
 * @returns  CSR, length leaves + 1: leaf c holds positions leafStart[c] … leafStart[c + 1] − 1. A node of level l is a run
 *           of fanout ^ (levels − 1 − l) leaves
 */
export function leafStarts(n: number, {levels, fanout, leaves}: DirectoryShape): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(leaves + 1);
  starts[leaves] = n;
  // Coarse to fine: the first leaf of each node is settled before its children's.
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
