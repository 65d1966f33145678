import type {AdjacentClusters} from './adjacentClusters.ts';
import type {Band} from './tileReport.ts';

/** The reports of one tile about a range of rows. */
export interface RangeReport {
  readonly band: Band;
  readonly adjacent: AdjacentClusters;
  /** Key of the tile's cluster 0. Keys number the local clusters of all tiles: tile by tile, cluster by cluster. */
  readonly firstKey: number;
}

/** What the reports about a range of rows say together. */
export interface JoinedRange {
  /** Pairs of keys of clusters that are one: `links[2k]` and `links[2k + 1]`, each pair once. */
  readonly links: Float64Array;
  /** Border points that several clusters may claim, and their clusters; rows ascending. */
  readonly candidateRows: Float64Array;
  readonly candidateKeys: Float64Array;
}

/**
 * Joins what tiles report about points of their halos with what the owners know.
 *
 * If the owner says core, the cluster that reports the point and the owner's cluster are one: a core point within eps
 * of it is in the former. If not, the point is a border point, and the reporting cluster is a candidate for its label.
 *
 * @param reports  the reports of all tiles about the same rows
 * @complexity     O(r log r) for r reported rows
 */
export function joinReports(reports: readonly RangeReport[]): JoinedRange {
  const owners = indexBands(reports);
  const links = new Map<string, readonly [number, number]>();
  const candidates: (readonly [row: number, key: number])[] = [];
  const claimed = new Set<number>();
  for (const {adjacent, firstKey} of reports) {
    const {rows, clusters} = adjacent;
    for (let k = 0; k < rows.length; k++) {
      const owner = owners.get(rows[k]);
      const key = firstKey + clusters[k];
      if (owner?.isCore === true) {
        if (owner.key !== key) links.set(`${owner.key} ${key}`, [owner.key, key]);
        continue;
      }
      candidates.push([rows[k], key]);
      // Without a band entry the owner itself reports the point, and lists its own cluster.
      if (owner === undefined || owner.key < 0 || claimed.has(rows[k])) continue;
      claimed.add(rows[k]);
      candidates.push([rows[k], owner.key]);
    }
  }
  candidates.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return {
    links: Float64Array.from([...links.values()].flat()),
    candidateRows: Float64Array.from(candidates, ([row]) => row),
    candidateKeys: Float64Array.from(candidates, ([, key]) => key),
  };
}

/** By row: whether the owner says core, and the key of the owner's cluster, −1 for noise. */
function indexBands(reports: readonly RangeReport[]): Map<number, {isCore: boolean; key: number}> {
  const owners = new Map<number, {isCore: boolean; key: number}>();
  for (const {band, firstKey} of reports) {
    const {rows, clusters, isCore} = band;
    for (let k = 0; k < rows.length; k++) {
      const key = clusters[k] < 0 ? -1 : firstKey + clusters[k];
      owners.set(rows[k], {isCore: isCore[k] === 1, key});
    }
  }
  return owners;
}
