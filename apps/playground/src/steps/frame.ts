/** Paint of a point that no step has reached. */
export const UNSEEN = -2;
/** Paint of a point that is noise, or is taken for noise so far. */
export const NOISE_PAINT = -1;

export interface Edge {
  readonly from: number;
  readonly to: number;
  /**
   * `graph`: neighbours, stored as an edge. `claim`: `from` has claimed `to`. `tree`: `to` is the parent of `from`.
   * `cross`: a pair that waits, or two chains that have met.
   */
  readonly kind: 'graph' | 'claim' | 'tree' | 'cross';
}

export function edgesFrom(from: number, others: readonly number[], kind: Edge['kind']): Edge[] {
  return others.map((to) => ({from, to, kind}));
}

/** A rectangle: a cell of a grid, or the part of a thread. */
export interface CellMark {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Number of a colour. Missing: the outline only. */
  readonly paint?: number;
}

export type Panel =
  | {readonly kind: 'figures'; readonly title: string; readonly figures: readonly (readonly [string, number])[]}
  | {
      readonly kind: 'lists';
      readonly title: string;
      readonly lists: readonly {readonly name: string; readonly paint: number; readonly items: readonly number[]}[];
    }
  | {
      readonly kind: 'matrix';
      readonly title: string;
      /** Row and column names, with their colours. */
      readonly heads: readonly {readonly name: string; readonly paint: number}[];
      /** Set entries of the upper triangle. */
      readonly entries: readonly (readonly [row: number, column: number])[];
    };

/** The whole picture after one step. */
export interface Frame {
  readonly text: string;
  /** n colours: a number of a set, chain or cluster, or `UNSEEN` or `NOISE_PAINT`. */
  readonly paint: Int32Array;
  /** n flags, 1 = found to be core. */
  readonly core: Uint8Array;
  readonly focus: readonly number[];
  readonly balls: readonly number[];
  readonly edges: readonly Edge[];
  readonly cells: readonly CellMark[];
  readonly panels: readonly Panel[];
  /** 2n coordinates, if points have left their places. */
  readonly positions?: Float64Array;
}

/** An algorithm as a list of pictures, and the labels at its end. */
export interface Recording {
  readonly frames: readonly Frame[];
  readonly labels: Int32Array;
}
