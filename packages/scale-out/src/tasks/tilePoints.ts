import type {RunFiles} from '../runFiles.ts';
import {segmentBytes, type RouteFacts} from './routeTask.ts';
import {alignTo8, coordsOf, viewAs} from '../typedViews.ts';

/** A part of a tile: the points of one chunk. */
export interface Segment {
  readonly count: number;
  /** Rows from the chunk's first row. */
  readonly offsets: Uint32Array;
  readonly firstRow: number;
  readonly coords: Float32Array | Float64Array;
}

/** Number of points of a tile by chunk. */
export async function countsOfTile(files: RunFiles, tile: number, round: number): Promise<number[]> {
  const {chunks} = await files.plan();
  const counts: number[] = [];
  for (let index = 0; index < chunks.length; index++) {
    counts.push((await files.facts<RouteFacts>({kind: 'route', index, round})).counts[tile]);
  }
  return counts;
}

/** Reads the points of a tile, chunk by chunk: rows ascend. */
export async function* readSegments(files: RunFiles, tile: number, round: number): AsyncGenerator<Segment> {
  const {chunks, dim, precision} = await files.plan();
  const type = coordsOf(precision);
  for (const [index, {firstRow}] of chunks.entries()) {
    const task = {kind: 'route', index, round} as const;
    const {counts} = await files.facts<RouteFacts>(task);
    const count = counts[tile];
    if (count === 0) continue;
    let start = 0;
    for (let before = 0; before < tile; before++) start += segmentBytes(counts[before], dim, type.BYTES_PER_ELEMENT);
    const bytes = await files.readData(task, start, start + segmentBytes(count, dim, type.BYTES_PER_ELEMENT));
    yield {
      count,
      offsets: viewAs(Uint32Array, bytes, 0, count),
      firstRow,
      coords: viewAs(type, bytes, alignTo8(4 * count), count * dim),
    };
  }
}
