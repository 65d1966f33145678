import {pointCount, type PointSet} from '@epsball/clustering';
import type {TilePoints} from '../tiling/tilePoints.ts';
import {reportTile, type TileReport} from '../tiling/tileReport.ts';
import {tileBoxes} from '../tiling/tiling.ts';
import type {ClusterTile} from '../clusterTile.ts';
import type {RunPlan} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {finalTiling} from '../tilingRounds.ts';
import {coordsOf} from '../typedViews.ts';
import {countsOfTile, readSegments} from './tilePoints.ts';
import {layOutReport, type TileFacts} from './tileFile.ts';

/** Clusters the points of a tile and writes its part of the result, and its reports, by ranges of rows. */
export async function runTile(files: RunFiles, tile: number, clusterTile: ClusterTile): Promise<void> {
  const [request, plan, {tiling, roundOf}] = [await files.request(), await files.plan(), await finalTiling(files)];
  const {points: read, rows} = await readTile(files, plan, tile, roundOf[tile]);
  const {points, local} = await clusterTile(read, request.params);
  const owned: TilePoints = {box: tileBoxes(tiling)[tile], points, rows};
  const report: TileReport = reportTile(owned, request.params.eps, local);
  const {facts, parts} = layOutReport(plan, rows, local, report);
  await files.finish({kind: 'tile', index: tile}, facts satisfies TileFacts, parts);
}

async function readTile(
  files: RunFiles,
  {dim, precision}: RunPlan,
  tile: number,
  round: number,
): Promise<{points: PointSet; rows: Float64Array}> {
  const counts = await countsOfTile(files, tile, round);
  const n = counts.reduce((sum, count) => sum + count, 0);
  const coords = new (coordsOf(precision))(n * dim);
  const points = {coords, dim};
  const rows = new Float64Array(pointCount(points));
  let done = 0;
  for await (const {count, offsets, firstRow, coords: part} of readSegments(files, tile, round)) {
    coords.set(part, done * dim);
    for (let k = 0; k < count; k++) rows[done + k] = firstRow + offsets[k];
    done += count;
  }
  return {points, rows};
}
