import {InvalidParameterError} from '@epsball/clustering';
import type {RowRange} from '@epsball/datasets';
import {planTiling} from '../tiling/planTiling.ts';
import {describeInputs, readPart, type InputLayout} from '../input/pointReader.ts';
import {sizesFor} from '../memory.ts';
import type {Chunk, RunPlan, RunRequest} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';

const SAMPLE_ROWS = 2 ** 18;
/** A file may be sorted, so the sample comes from many places. */
const SAMPLE_BLOCKS = 128;
/** Share of the capacity that a planned tile may use: the sample is not exact. */
const FILL = 0.85;

/** Samples the input and divides space into tiles, and the rows into chunks and ranges. */
export async function runPlan(files: RunFiles): Promise<void> {
  const request = await files.request();
  const layout = await describeInputs(files, request);
  const {dim, precision, columns, rowCount} = layout;
  const {minTiles, forced = {}} = request;
  const sizes = sizesFor(request.memoryBytes, dim, precision);
  const chunks = cutChunks(layout, forced.chunkRows ?? sizes.chunkRows);
  // A sample needs coordinates, indices and a sorted axis.
  const sampleRows = Math.min(SAMPLE_ROWS, Math.max(1024, Math.floor(sizes.chunkRows / 2)));
  const sample = await readSample(files, request, layout, sampleRows);
  const capacity = forced.capacity ?? sizes.capacity;
  const options = {eps: request.params.eps, rowCount, capacity: FILL * capacity, minTiles};
  const tiling = forced.tiling ?? planTiling(sample, options);
  if (tiling.dim !== dim) throw new InvalidParameterError('tiling.dim', tiling.dim, `${dim}, as the points`);
  const plan: RunPlan = {
    dim,
    precision,
    columns,
    rowCount,
    chunks,
    rangeRows: forced.rangeRows ?? sizes.rangeRows,
    capacity,
    tiling,
  };
  await files.finish({kind: 'plan', index: 0}, plan);
}

function cutChunks({parts}: InputLayout, chunkRows: number): Chunk[] {
  return parts.flatMap(({rowCount, firstRow, ...part}) => {
    const count = Math.ceil(rowCount / chunkRows);
    return Array.from({length: count}, (_, k) => {
      // Equal chunks: a last one of few rows costs as many files as a full one.
      const start = Math.floor((k * rowCount) / count);
      const end = Math.floor(((k + 1) * rowCount) / count);
      return {...part, start, rowCount: end - start, firstRow: firstRow + start};
    });
  });
}

async function readSample(
  files: RunFiles,
  request: RunRequest,
  layout: InputLayout,
  sampleRows: number,
): Promise<{coords: Float64Array; dim: number}> {
  const {dim, rowCount, parts} = layout;
  const wanted = Math.min(rowCount, sampleRows);
  const coords = new Float64Array(wanted * dim);
  const blocks = wanted === rowCount ? parts.length : SAMPLE_BLOCKS;
  let done = 0;
  for (const part of parts) {
    const ofPart = Math.min(Math.ceil((wanted * part.rowCount) / rowCount), wanted - done / dim);
    const count = Math.min(ofPart, Math.max(1, Math.ceil((blocks * part.rowCount) / rowCount)));
    const ranges = Array.from({length: count}, (_, k): RowRange => {
      const rows = Math.floor(((k + 1) * ofPart) / count) - Math.floor((k * ofPart) / count);
      const start = Math.min(Math.floor((k * part.rowCount) / count), part.rowCount - rows);
      return [start, start + rows];
    });
    const points = await readPart(files, request, layout, part, ranges);
    coords.set(points.coords, done);
    done += points.coords.length;
  }
  // A NaN would stop the medians; the task that routes its row reports it.
  return {coords: keepFinite(coords.subarray(0, done), dim), dim};
}

function keepFinite(coords: Float64Array, dim: number): Float64Array {
  if (coords.every((x) => Number.isFinite(x))) return coords;
  const isFinitePoint = (i: number): boolean =>
    coords.subarray(i * dim, i * dim + dim).every((x) => Number.isFinite(x));
  return coords.filter((_, k) => isFinitePoint(Math.floor(k / dim)));
}
