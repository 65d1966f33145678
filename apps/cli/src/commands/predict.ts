import type {ProgressListener} from '@epsball/clustering';
import type {LoadedPoints, OpenFile} from '@epsball/datasets';
import type {DbscanModel, HdbscanModel} from '@epsball/predict';
import type {Command} from 'commander';
import {setImmediate} from 'node:timers/promises';
import {whileWriting, withProgress, type BarProgress} from '../cluster/progressBar.ts';
import {UsageError} from '../errors.ts';
import {addDatasetFlag, addMissingFlag, addPointFlags, LABEL_FORMATS, type PointFlags} from '../flags.ts';
import {checkOutputs, outputFile, printSummary, required, runCommand} from '../options.ts';
import {countNoise, formatCount} from '../text.ts';

/** Points that are labelled between two reports. */
const BLOCK_POINTS = 2 ** 14;

interface PredictFlags extends PointFlags {
  readonly out: string;
}

export function addPredictCommand(program: Command): void {
  const command = program
    .command('predict')
    .description('label the points of a file by a model of --save-model')
    .argument('<MODEL>', 'file of the model: .arrow')
    .argument('<INPUT>', 'file of points, as for cluster')
    .option('--out <FILE>', `labels: ${LABEL_FORMATS.join('|')}`, outputFile(LABEL_FORMATS));
  addMissingFlag(addDatasetFlag(addPointFlags(command))).action((model: string, input: string, flags: PredictFlags) =>
    runCommand(command, (signal) => predict(model, input, flags, signal)),
  );
}

async function predict(modelFile: string, input: string, flags: PredictFlags, signal: AbortSignal): Promise<void> {
  const out = required('--out', flags.out, `a file that ends in ${LABEL_FORMATS.join(', ')}`);
  const {checkDrop, completeInput} = await import('../cluster/missingRows.ts');
  checkDrop(flags.missing, {'--out': out});
  await checkOutputs({'--out': out}, [input, modelFile]);
  const {nameFile} = await import('../cluster/readInput.ts');
  const model = await withProgress('model', (onProgress) => readModel(modelFile, onProgress));
  const {params: globe} = model.state;
  const read = await readPointsFor(model, input, flags, signal);
  const {points, missing} = await nameFile(input, () =>
    completeInput(read, {...globe, metric: globe.metric ?? 'euclidean', missing: flags.missing}),
  );
  const startedAt = performance.now();
  const {labels, columns} = await withProgress('predict', (update) =>
    nameFile(input, () => predictInBlocks(model, points, signal, update)),
  );
  const ms = performance.now() - startedAt;
  const {writeLabelled} = await import('../cluster/writeOutputs.ts');
  const written = {points, labels, columns, missing, globe};
  await whileWriting([out], (onProgress) => writeLabelled(out, written, {signal, onProgress}));
  const found = new Set(labels.filter((label) => label >= 0)).size;
  const noise = formatCount(countNoise(labels));
  const counts = `${formatCount(labels.length)} points in ${formatCount(found)} clusters, ${noise} noise`;
  const kept = 'coreCount' in model ? `${formatCount(model.coreCount)} core` : formatCount(model.pointCount);
  const lacking = missing === undefined ? '' : `, ${formatCount(missing.n - missing.rows.length)} without a value`;
  const {columnsLine} = await import('../cluster/leftColumns.ts');
  const line = `${counts}${lacking}; a model of ${kept} points, ${ms.toFixed(0)} ms\n`;
  printSummary(line + columnsLine(points), out);
}

/** Labels, and probabilities of HDBSCAN*. Signals and the line of progress have their turn between blocks. */
async function predictInBlocks(
  model: DbscanModel | HdbscanModel,
  {coords, dim, columns: names}: LoadedPoints,
  signal: AbortSignal,
  update: (progress: BarProgress) => void,
): Promise<{readonly labels: Int32Array; readonly columns: {readonly probability: Float64Array} | undefined}> {
  const n = coords.length / dim;
  const labels = new Int32Array(n);
  const probability = new Float64Array('coreCount' in model ? 0 : n);
  const named = names === undefined ? {dim} : {dim, columns: names};
  for (let from = 0; from < n; from += BLOCK_POINTS) {
    const block = {coords: coords.subarray(dim * from, dim * (from + BLOCK_POINTS)), ...named};
    try {
      const found = model.predict(block);
      labels.set('labels' in found ? found.labels : found, from);
      if ('labels' in found) probability.set(found.probabilities, from);
    } catch (error) {
      // The error of all points at once names a point by its index among all.
      model.predict({coords, ...named});
      throw error;
    }
    update({phase: 'predict', done: Math.min(n, from + BLOCK_POINTS), total: n});
    await setImmediate();
    signal.throwIfAborted();
  }
  return {labels, columns: 'coreCount' in model ? undefined : {probability}};
}

/** @throws UsageError  if the path is not a regular file, or the file no whole model */
async function readModel(file: string, onProgress: ProgressListener): Promise<DbscanModel | HdbscanModel> {
  const [{loadModel}, {DatasetFormatError, memoryBytes, readBytes, readWholeFile, withOpenFile}] = await Promise.all([
    import('@epsball/predict'),
    import('@epsball/datasets'),
  ]);
  const what = 'a file of "epsball cluster --save-model" or "epsball hdbscan --save-model"';
  try {
    const read = async (opened: OpenFile): Promise<DbscanModel | HdbscanModel> => {
      // A large file of another kind is refused before it is read.
      const magic = Buffer.from('ARROW1');
      const start = Buffer.alloc(Math.min(magic.length, opened.size));
      await readBytes(opened, start, 0);
      if (!start.equals(magic)) throw new Error('expected an Arrow file, which begins with ARROW1');
      return loadModel(await readWholeFile(opened, memoryBytes()), {onProgress});
    };
    return await withOpenFile(file, read, what);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The bytes of the model would say nothing.
    const expected = /expected (.*)$/s.exec(error.message)?.[1];
    const why = error instanceof DatasetFormatError ? error.reason : (expected ?? error.message);
    // The reason alone: `is a device`.
    throw new UsageError('MODEL', file, `${what} (${why.replace(`; expected ${what}`, '')})`);
  }
}

async function readPointsFor(
  model: DbscanModel | HdbscanModel,
  input: string,
  flags: PredictFlags,
  signal: AbortSignal,
): Promise<LoadedPoints> {
  const {readInput, warn} = await import('../cluster/readInput.ts');
  const {dim, params, columns} = model.state;
  const points = await readInput(input, {...flags, metric: params.metric ?? 'euclidean'}, signal, columns);
  if (points.dim !== dim) {
    throw new UsageError('INPUT', input, `${dim} coordinates a point, as the model; it has ${points.dim}`);
  }
  // On a globe the columns are latitude and longitude under any name. Positions are not names.
  const {columns: names = []} = points;
  const areNames = columns !== undefined && [...columns, ...names].every((name) => !/^\d+$/.test(name));
  if (areNames && params.metric !== 'haversine' && !names.every((name) => columns.includes(name))) {
    warn(`the columns ${names.join(', ')} stand for ${columns.join(', ')} of the model, in this order`);
  }
  return points;
}
