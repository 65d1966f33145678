import type {LoadedPoints, OpenFile} from '@epsball/datasets';
import type {DbscanModel, HdbscanModel} from '@epsball/predict';
import type {Command} from 'commander';
import {totalmem} from 'node:os';
import {UsageError} from '../errors.ts';
import {addDatasetFlag, addMissingFlag, addPointFlags, LABEL_FORMATS, type PointFlags} from '../flags.ts';
import {checkOutputs, outputFile, printSummary, required, runCommand} from '../options.ts';
import {countNoise, formatCount} from '../text.ts';

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
  const model = await readModel(modelFile);
  const {params: globe} = model.state;
  const read = await readPointsFor(model, input, flags, signal);
  const {points, missing} = await nameFile(input, () =>
    completeInput(read, {...globe, metric: globe.metric ?? 'euclidean', missing: flags.missing}),
  );
  const startedAt = performance.now();
  const predicted = await nameFile(input, () => model.predict(points));
  const {labels, probabilities} = 'labels' in predicted ? predicted : {labels: predicted};
  const ms = performance.now() - startedAt;
  signal.throwIfAborted();
  const {writeLabelled} = await import('../cluster/writeOutputs.ts');
  const columns = probabilities === undefined ? undefined : {probability: probabilities};
  await writeLabelled(out, {points, labels, columns, missing, globe}, signal);
  const found = new Set(labels.filter((label) => label >= 0)).size;
  const noise = formatCount(countNoise(labels));
  const counts = `${formatCount(labels.length)} points in ${formatCount(found)} clusters, ${noise} noise`;
  const kept = 'coreCount' in model ? `${formatCount(model.coreCount)} core` : formatCount(model.pointCount);
  const lacking = missing === undefined ? '' : `, ${formatCount(missing.n - missing.rows.length)} without a value`;
  const {columnsLine} = await import('../cluster/leftColumns.ts');
  const line = `${counts}${lacking}; a model of ${kept} points, ${ms.toFixed(0)} ms\n`;
  printSummary(line + columnsLine(points), out);
}

/** @throws UsageError  if the path is not a regular file, or the file no whole model */
async function readModel(file: string): Promise<DbscanModel | HdbscanModel> {
  const [{loadModel}, {DatasetFormatError, readBytes, readWholeFile, withOpenFile}] = await Promise.all([
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
      return loadModel(await readWholeFile(opened, totalmem()));
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
  const {readInput} = await import('../cluster/readInput.ts');
  const {dim, params, columns} = model.state;
  const points = await readInput(input, {...flags, metric: params.metric ?? 'euclidean'}, signal, columns);
  if (points.dim === dim) return points;
  throw new UsageError('INPUT', input, `${dim} coordinates a point, as the model; it has ${points.dim}`);
}
