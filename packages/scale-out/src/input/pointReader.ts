import type {PointSet} from '@epsball/clustering';
import {DatasetFormatError, describeNpy, readNpyRows} from '@epsball/datasets';
import type {Chunk, InputFile, RunPlan, RunRequest} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {viewCoords} from '../typedViews.ts';
import {localPath} from './inputFiles.ts';
import {describeParquet, readParquetRows} from './parquetRows.ts';

/** What `import` finds in a CSV file: the points, as pieces of binary coordinates. */
export interface ImportFacts {
  readonly dim: number;
  readonly columns: readonly string[];
  /** Points of each piece. */
  readonly pieces: readonly number[];
}

/** The points of all input files. */
export interface InputLayout {
  readonly dim: number;
  readonly precision: 'float32' | 'float64';
  readonly columns: readonly string[];
  /** Consecutive rows that one file, or one piece of it, holds. */
  readonly parts: readonly Omit<Chunk, 'start'>[];
  readonly rowCount: number;
}

/**
 * Describes all input files, which must agree in dimension.
 *
 * @throws DatasetFormatError  if a file cannot be read, or has other columns than the first
 */
export async function describeInputs(files: RunFiles, request: RunRequest): Promise<InputLayout> {
  const parts: Omit<Chunk, 'start'>[] = [];
  let firstRow = 0;
  let layout: {dim: number; columns: readonly string[]} | undefined;
  let isFloat32 = true;
  for (const [input, file] of request.inputs.entries()) {
    const found = await describeFile(files, request, file, input);
    layout ??= found;
    if (found.dim !== layout.dim) {
      throw new DatasetFormatError(file.path, `has dim = ${found.dim}; expected ${layout.dim}, as the first file`);
    }
    isFloat32 &&= found.precision === 'float32';
    for (const [piece, rowCount] of found.pieces.entries()) {
      parts.push({input, ...(file.kind === 'csv' ? {piece} : {}), rowCount, firstRow});
      firstRow += rowCount;
    }
  }
  const own = isFloat32 ? 'float32' : 'float64';
  const precision = request.precision === 'source' ? own : request.precision;
  return {dim: layout?.dim ?? 1, columns: layout?.columns ?? [], precision, parts, rowCount: firstRow};
}

async function describeFile(
  files: RunFiles,
  {columns, dim, precision}: RunRequest,
  file: InputFile,
  input: number,
): Promise<ImportFacts & {readonly precision: 'float32' | 'float64'}> {
  if (file.kind === 'parquet') {
    const found = await describeParquet(await localPath(file), columns);
    return {dim: found.columns.length, columns: found.columns, pieces: [found.rowCount], precision: found.precision};
  }
  if (file.kind === 'npy') {
    const found = await describeNpy(await localPath(file), dim, precision);
    return {dim: found.dim, columns: [], pieces: [found.rowCount], precision: found.precision};
  }
  const facts = await files.facts<ImportFacts>({kind: 'import', index: input});
  return {...facts, precision: precision === 'float32' ? 'float32' : 'float64'};
}

/** Consecutive rows of a part of the input: [start, end). */
export type RowRange = readonly [start: number, end: number];

/** Reads ranges of rows of a part of the input, one after another, in the precision of the plan. */
export async function readPoints(
  files: RunFiles,
  {inputs}: RunRequest,
  layout: Pick<RunPlan, 'dim' | 'precision' | 'columns'>,
  part: Pick<Chunk, 'input' | 'piece'>,
  ranges: readonly RowRange[],
): Promise<PointSet> {
  const file = inputs[part.input];
  const {dim, precision} = layout;
  if (file.kind === 'parquet') return readParquetRows(await localPath(file), layout, ranges);
  const pointBytes = dim * (precision === 'float32' ? 4 : 8);
  const readRange = async ([start, end]: RowRange): Promise<Float32Array | Float64Array> => {
    if (file.kind === 'npy') {
      return (await readNpyRows(await localPath(file), {rowCount: end, dim, precision}, start, end)).coords;
    }
    const task = {kind: 'import', index: part.input} as const;
    const bytes = await files.readPiece(task, part.piece ?? 0, start * pointBytes, end * pointBytes);
    return viewCoords(precision, bytes, 0, (end - start) * dim);
  };
  if (ranges.length === 1) return {coords: await readRange(ranges[0]), dim};
  const rowCount = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  const coords = precision === 'float32' ? new Float32Array(rowCount * dim) : new Float64Array(rowCount * dim);
  let done = 0;
  for (const range of ranges) {
    coords.set(await readRange(range), done);
    done += (range[1] - range[0]) * dim;
  }
  return {coords, dim};
}
