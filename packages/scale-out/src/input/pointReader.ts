import type {PointSet} from '@epsball/clustering';
import {DatasetFormatError, readPoints, type ReadPointsOptions, type RowRange} from '@epsball/datasets';
import type {Chunk, InputFile, RunPlan, RunRequest} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {coordsOf, viewAs} from '../typedViews.ts';
import {readInput} from './inputFiles.ts';

/** What `import` finds in a CSV file: the points, as pieces of binary coordinates. */
export interface ImportFacts {
  readonly dim: number;
  readonly columns: readonly string[];
  /** Points of each piece. */
  readonly pieces: readonly number[];
}

export interface InputLayout {
  readonly dim: number;
  readonly precision: 'float32' | 'float64';
  readonly columns: readonly string[];
  /** Consecutive rows that one file, or one piece of it, holds. */
  readonly parts: readonly Omit<Chunk, 'start'>[];
  readonly rowCount: number;
}

/** Describes all input files, which must agree in dimension. */
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
  request: RunRequest,
  file: InputFile,
  index: number,
): Promise<ImportFacts & {readonly precision: 'float32' | 'float64'}> {
  if (file.kind === 'csv') {
    const facts = await files.facts<ImportFacts>({kind: 'import', index});
    return {...facts, precision: request.precision === 'float32' ? 'float32' : 'float64'};
  }
  const {
    coords,
    dim,
    columns = [],
    rowCount = 0,
  } = await files.meter.time('inputMs', () => readRows(file, request, {rows: []}));
  return {dim, columns, pieces: [rowCount], precision: coords instanceof Float32Array ? 'float32' : 'float64'};
}

/** Reads ranges of rows of a part of the input, one after another, in the precision of the plan. */
export async function readPart(
  files: RunFiles,
  {inputs}: RunRequest,
  layout: Pick<RunPlan, 'dim' | 'precision' | 'columns'>,
  part: Pick<Chunk, 'input' | 'piece'>,
  rows: readonly RowRange[],
): Promise<PointSet> {
  const file = inputs[part.input];
  const {dim, precision} = layout;
  if (file.kind !== 'csv') {
    const points = await files.meter.time('inputMs', () => readRows(file, layout, {rows}));
    files.meter.count('readBytes', points.coords.byteLength);
    return points;
  }
  const task = {kind: 'import', index: part.input} as const;
  const type = coordsOf(precision);
  const pointBytes = dim * type.BYTES_PER_ELEMENT;
  const rowCount = rows.reduce((sum, [start, end]) => sum + end - start, 0);
  const coords = new type(rowCount * dim);
  let done = 0;
  for (const [start, end] of rows) {
    const bytes = await files.readData(task, start * pointBytes, end * pointBytes, part.piece);
    coords.set(viewAs(type, bytes, 0, (end - start) * dim), done);
    done += (end - start) * dim;
  }
  return {coords, dim};
}

function readRows(
  file: InputFile,
  {columns, dim, precision}: Pick<RunRequest, 'columns' | 'dim' | 'precision'>,
  options: Pick<ReadPointsOptions, 'rows'>,
): ReturnType<typeof readPoints> {
  const shape = file.kind === 'parquet' ? {columns} : {dim};
  return readInput(file, (input) => readPoints(input, {...shape, precision, ...options}));
}
