import {InvalidPointsError, type PointSet} from '@epsball/clustering';
import {reachOf} from '../tiling/reach.ts';
import {routePoints, type RoutedPoints} from '../tiling/router.ts';
import {checkUnchanged} from '../input/inputFiles.ts';
import {readPart} from '../input/pointReader.ts';
import type {Chunk} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {tilingOfRound} from '../tilingRounds.ts';
import {alignTo8} from '../typedViews.ts';

/** What a routed chunk holds: points by tile. Its segments follow one another in the order of tiles. */
export interface RouteFacts {
  readonly counts: readonly number[];
}

/** Bytes of a segment: rows as offsets from the chunk's first row, then coordinates. */
export function segmentBytes(count: number, dim: number, coordBytes: number): number {
  return alignTo8(4 * count) + alignTo8(count * dim * coordBytes);
}

/**
 * Reads a chunk of rows and writes, tile by tile, the points that each tile reads. A later round writes only the tiles
 * that came from dividing heavy ones.
 *
 * A chunk is one file however many tiles there are, and keeps the order of rows.
 */
export async function runRoute(files: RunFiles, index: number, round: number): Promise<void> {
  const [request, plan, {tiling, roundOf}] = [
    await files.request(),
    await files.plan(),
    await tilingOfRound(files, round),
  ];
  const chunk = plan.chunks[index];
  await checkUnchanged(request.inputs[chunk.input]);
  const points = await readPart(files, request, plan, chunk, [[chunk.start, chunk.start + chunk.rowCount]]);
  checkFinite(points, chunk);
  const routed = routePoints(tiling, reachOf(request.params.eps), points.coords);
  const isWanted = Uint8Array.from(roundOf, (own) => Number(own === round));
  const counts = countByTile(routed, isWanted);
  const parts = gatherSegments(points, routed, counts);
  await files.finish({kind: 'route', index, round}, {counts: [...counts]} satisfies RouteFacts, parts);
}

/** @throws InvalidPointsError  names the row of the whole input */
function checkFinite({coords, dim}: PointSet, {firstRow}: Chunk): void {
  // x − x is 0 for finite x only.
  let poison = 0;
  for (let k = 0; k < coords.length; k++) poison += coords[k] - coords[k];
  if (poison === 0) return;
  const bad = coords.findIndex((x) => !Number.isFinite(x));
  const row = firstRow + Math.floor(bad / dim);
  throw new InvalidPointsError(`point ${row} has coordinate ${coords[bad]} on axis ${bad % dim}; expected finite`, row);
}

/** Points by tile; 0 for tiles of other rounds. */
function countByTile({tiles}: RoutedPoints, isWanted: Uint8Array): Int32Array {
  const counts = new Int32Array(isWanted.length);
  for (let k = 0; k < tiles.length; k++) counts[tiles[k]] += isWanted[tiles[k]];
  return counts;
}

/** A counting sort by tile, straight into the segments. */
function gatherSegments({coords, dim}: PointSet, {tiles, points}: RoutedPoints, counts: Int32Array): Uint8Array[] {
  const coordBytes = coords.BYTES_PER_ELEMENT;
  // Chunks are far below 2^31 words.
  const nextRow = new Int32Array(counts.length);
  const nextValue = new Int32Array(counts.length);
  let total = 0;
  for (let tile = 0; tile < counts.length; tile++) {
    nextRow[tile] = total / 4;
    nextValue[tile] = (total + alignTo8(4 * counts[tile])) / coordBytes;
    total += segmentBytes(counts[tile], dim, coordBytes);
  }
  const buffer = new ArrayBuffer(total);
  const rows = new Uint32Array(buffer);
  const values = coords instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
  for (let k = 0; k < tiles.length; k++) {
    const tile = tiles[k];
    if (counts[tile] === 0) continue;
    const from = points[k] * dim;
    rows[nextRow[tile]++] = points[k];
    const at = nextValue[tile];
    nextValue[tile] = at + dim;
    for (let d = 0; d < dim; d++) values[at + d] = coords[from + d];
  }
  return [new Uint8Array(buffer)];
}
