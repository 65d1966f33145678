/** The number of clusters at one eps. */
export interface ClusterCount {
  readonly eps: number;
  /** Clusters of at least 0.5 % of the points. */
  readonly clusters: number;
}

/** A range of eps with one number of clusters. */
export interface Plateau {
  readonly from: number;
  readonly to: number;
  /** The middle of the range, by ratio. */
  readonly eps: number;
  readonly clusters: number;
  /** log2(to / from): the confidence. */
  readonly octaves: number;
}

/** The longest range of eps with the same number of clusters, two or more. */
export function longestPlateau(counts: readonly ClusterCount[]): Plateau | undefined {
  let best: Plateau | undefined;
  for (let start = 0; start < counts.length;) {
    const {clusters} = counts[start];
    let end = start;
    while (end + 1 < counts.length && counts[end + 1].clusters === clusters) end++;
    const [from, to] = [counts[start].eps, counts[end].eps];
    const octaves = Math.log2(to / from);
    if (clusters >= 2 && (best === undefined || octaves > best.octaves)) {
      best = {from, to, eps: Math.sqrt(from * to), clusters, octaves};
    }
    start = end + 1;
  }
  return best;
}
