import {pointCount, type DbscanAlgorithm, type DbscanParams, type PointSet} from '@epsball/clustering';
import {dbscanOracle, seededRandom, type DbscanLabels} from '@epsball/conformance';
import {joinReports, type JoinedRange, type RangeReport} from '../src/tiling/joinReports.ts';
import {labelCandidates, mergeClusters} from '../src/tiling/mergeClusters.ts';
import {planTiling} from '../src/tiling/planTiling.ts';
import {reachOf} from '../src/tiling/reach.ts';
import {routePoints} from '../src/tiling/router.ts';
import type {LocalLabels, TilePoints} from '../src/tiling/tilePoints.ts';
import {reportTile} from '../src/tiling/tileReport.ts';
import {tileBoxes, tilingFromCuts, type CutTree, type Tiling} from '../src/tiling/tiling.ts';

/** Where a mutant departs from the algorithm. */
export interface Flaw {
  readonly ofTile?: (report: RangeReport, tile: TilePoints, local: LocalLabels) => RangeReport;
  readonly ofJoin?: (joined: JoinedRange) => JoinedRange;
}

/** The whole algorithm in memory, with the oracle in each tile. */
export function clusterInTiles(points: PointSet, params: DbscanParams, tiling: Tiling, flaw: Flaw = {}): DbscanLabels {
  const n = pointCount(points);
  const coreMask = new Uint8Array(n);
  const keys = new Float64Array(n).fill(-1);
  const firstCoreRows: number[] = [];
  const reports: RangeReport[] = [];
  for (const tile of tilesOf(points, params.eps, tiling)) {
    const local = dbscanOracle(tile.points, params);
    const report = reportTile(tile, params.eps, local);
    const firstKey = firstCoreRows.length;
    firstCoreRows.push(...report.firstCoreRows);
    const {band, adjacent, isOwned} = report;
    reports.push(flaw.ofTile?.({band, adjacent, firstKey}, tile, local) ?? {band, adjacent, firstKey});
    tile.rows.forEach((row, i) => {
      if (isOwned[i] === 0) return;
      coreMask[row] = local.coreMask[i];
      keys[row] = local.labels[i] < 0 ? -1 : firstKey + local.labels[i];
    });
  }
  const exact = joinReports(reports);
  const joined = flaw.ofJoin?.(exact) ?? exact;
  const merged = mergeClusters(Float64Array.from(firstCoreRows), [joined.links]);
  const labels = Int32Array.from(keys, (key) => (key < 0 ? -1 : merged.labelOf[key]));
  labelCandidates(joined, merged, (row, label) => {
    labels[row] = label;
  });
  return {labels, coreMask, clusterCount: merged.clusterCount};
}

function tilesOf({coords, dim}: PointSet, eps: number, tiling: Tiling): TilePoints[] {
  const {tiles, points} = routePoints(tiling, reachOf(eps), coords);
  const rows: number[][] = Array.from({length: tiling.tileCount}, () => []);
  tiles.forEach((tile, k) => rows[tile].push(points[k]));
  return tileBoxes(tiling).map((box, tile) => {
    const values = rows[tile].flatMap((i) => [...coords.subarray(i * dim, i * dim + dim)]);
    const own = coords instanceof Float32Array ? Float32Array.from(values) : Float64Array.from(values);
    return {box, rows: Float64Array.from(rows[tile]), points: {coords: own, dim}};
  });
}

/** At least `tileCount` tiles where the points allow it, however narrow. */
export function forcedTiling(points: PointSet, eps: number, tileCount: number): Tiling {
  const options = {eps, rowCount: pointCount(points), capacity: Infinity, minTiles: tileCount, minWidth: 0};
  return planTiling(points, options);
}

/** Random cuts through points, exactly eps beside points, and one float beside those. */
export function cutsAtPoints({coords, dim}: PointSet, eps: number, tileCount: number, seed: number): Tiling {
  const random = seededRandom(seed);
  const n = coords.length / dim;
  const grow = (count: number): CutTree | undefined => {
    if (count <= 1 || n === 0) return undefined;
    const axis = Math.floor(random() * dim);
    const x = coords[Math.floor(random() * n) * dim + axis];
    const at = [x, x + eps, x - eps, x + eps * (1 + 2 ** -52), x - eps * (1 - 2 ** -53)][Math.floor(random() * 5)];
    const below = Math.max(1, Math.floor(random() * count));
    return {axis, at: Number.isFinite(at) ? at : x, below: grow(below), above: grow(count - below)};
  };
  return tilingFromCuts(dim, grow(tileCount));
}

/** The algorithm as a subject of the conformance suite. */
export function tiledDbscan(tilingOf: (points: PointSet, eps: number) => Tiling): DbscanAlgorithm {
  return {
    run: async (points, params) => {
      const result = clusterInTiles(points, params, tilingOf(points, params.eps));
      return {...result, stats: {phaseMs: {}, wallMs: 0, counters: {}}};
    },
    destroy: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}
