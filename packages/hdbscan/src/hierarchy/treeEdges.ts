export interface TreeEdges {
  /** One end of each edge; likewise `to`. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Squared weights, not negative. */
  readonly squared: Float64Array;
}

/** The tree of one place, or of too few. */
export const NO_EDGES: TreeEdges = {from: new Int32Array(0), to: new Int32Array(0), squared: new Float64Array(0)};
