import {filled} from '@epsball/clustering';
import {checkRun} from './checks.ts';
import {requireOrder} from './labelOutput.ts';
import type {LabelOrder} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {rangeCount, type GatherFacts, type MergeFacts, type TileLabelFacts} from './tasks/mergeTasks.ts';
import {finalTiling} from './tilingRounds.ts';
import {labelsOf, viewAs} from './typedViews.ts';

/** The labels and core flags of consecutive rows. */
export interface LabelRange {
  readonly firstRow: number;
  readonly labels: Int32Array | Float64Array;
  readonly coreMask: Uint8Array;
}

/** The labels and core flags of the points that a tile owns. */
export interface TileLabels extends Omit<LabelRange, 'firstRow'> {
  readonly tile: number;
  /** Ascending. */
  readonly rows: Float64Array;
}

/** What a finished run found. */
export interface RunResult {
  readonly rowCount: number;
  readonly clusterCount: number;
  readonly tileCount: number;
}

export async function runResult(files: RunFiles): Promise<RunResult> {
  checkRun(files);
  const {rowCount} = await files.plan();
  const {clusterCount} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  return {rowCount, clusterCount, tileCount: (await finalTiling(files)).tiling.tileCount};
}

/**
 * The labels of a finished run, range by range in the order of rows.
 *
 * @throws InvalidParameterError  if the run's order is `tile`
 */
export async function* labelRanges(files: RunFiles): AsyncGenerator<LabelRange> {
  await checkOrder(files, 'input');
  const ranges = rangeCount(await files.plan());
  for (let range = 0; range < ranges; range++) yield labelRange(files, range);
}

async function labelRange(files: RunFiles, range: number): Promise<LabelRange> {
  const labels = await rangeLabels(files, range);
  const start = labels.labels.byteLength;
  const coreMask = await files.readData({kind: 'gather', index: range}, start, start + labels.labels.length);
  return {...labels, coreMask};
}

/** Without the core flags. */
export async function rangeLabels(files: RunFiles, range: number): Promise<Omit<LabelRange, 'coreMask'>> {
  const task = {kind: 'gather', index: range} as const;
  const {rangeRows} = await files.plan();
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const {rowCount} = await files.facts<GatherFacts>(task);
  const type = labelsOf(isWide);
  const bytes = await files.readData(task, 0, rowCount * type.BYTES_PER_ELEMENT);
  return {firstRow: range * rangeRows, labels: viewAs(type, bytes, 0, rowCount)};
}

/**
 * The labels of a finished run of the order `tile`, tile by tile. Each row is in one of them.
 *
 * @throws InvalidParameterError  if the run's order is `input`
 */
export async function* labelTiles(files: RunFiles): AsyncGenerator<TileLabels> {
  await checkOrder(files, 'tile');
  const {tileCount} = await runResult(files);
  for (let tile = 0; tile < tileCount; tile++) yield tileLabels(files, tile);
}

async function tileLabels(files: RunFiles, tile: number): Promise<TileLabels> {
  const task = {kind: 'label', index: tile} as const;
  const {isWide} = await files.facts<MergeFacts>({kind: 'merge', index: 0});
  const {rowCount: n} = await files.facts<TileLabelFacts>(task);
  const type = labelsOf(isWide);
  const bytes = await files.readData(task, 0, n * (8 + type.BYTES_PER_ELEMENT + 1));
  return {
    tile,
    rows: viewAs(Float64Array, bytes, 0, n),
    labels: viewAs(type, bytes, 8 * n, n),
    coreMask: bytes.subarray(n * (8 + type.BYTES_PER_ELEMENT)),
  };
}

/** Labels, core flags and, in the order `tile`, rows of a part of the result: a range of rows, or a tile. */
export async function labelPart(
  files: RunFiles,
  part: number,
): Promise<Pick<LabelRange, 'labels' | 'coreMask'> & {readonly columns: Record<string, BigInt64Array>}> {
  if ((await files.request()).order !== 'tile') return {...(await labelRange(files, part)), columns: {}};
  const {rows, ...tile} = await tileLabels(files, part);
  return {...tile, columns: {row: filled(new BigInt64Array(rows.length), (k) => BigInt(rows[k]))}};
}

async function checkOrder(files: RunFiles, expected: LabelOrder): Promise<void> {
  checkRun(files);
  requireOrder(await files.request(), expected);
}
