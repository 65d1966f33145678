import {throwIfAborted} from '@epsball/clustering';
import type {LoadedPoints, OpenFile} from '@epsball/datasets';
import type {DbscanModel} from '@epsball/predict';
import type {Command} from 'commander';
import {totalmem} from 'node:os';
import {addCsvFlags, csvFormatOf, type CsvFlags} from '../cluster/csvFlags.ts';
import {columnsOf, pointsInOrder, WITH_COLUMNS} from '../cluster/metricFlags.ts';
import {UsageError} from '../errors.ts';
import {inFlags} from '../flagNames.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {names, outputFile, positiveInteger, required, STANDARD_INPUT} from '../options.ts';
import {nameFile} from '../nameFile.ts';
import {checkOutputs} from '../outputs.ts';
import {formatCount} from '../text.ts';

const LABEL_FORMATS = ['.npy', '.csv', '.json', '.parquet', '.geojson'];

/** Flags by parameter of the libraries. */
const FLAGS = {
  dim: '--dim',
  columns: '--columns',
  delimiter: '--delimiter',
  decimal: '--decimal',
  dataset: '--dataset',
  model: 'MODEL',
  input: 'INPUT',
};

interface PredictFlags extends CsvFlags {
  readonly out?: string;
  readonly columns?: readonly string[];
  readonly dataset?: string;
  readonly dim?: number;
}

export function addPredictCommand(program: Command): void {
  const command = program
    .command('predict')
    .description('label the points of a file by a model of "epsball cluster --save-model"')
    .argument('<MODEL>', 'file of the model: .arrow')
    .argument('<INPUT>', 'file of points, as for cluster')
    .option('--out <FILE>', `labels: ${LABEL_FORMATS.join('|')}`, outputFile('--out', LABEL_FORMATS))
    .option('--columns <a,b>', 'columns of a table, by name or position; LAT,LON with haversine', names('--columns'))
    .option('--dataset <NAME>', 'dataset inside an HDF5 file')
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger('--dim'))
    .action((model: string, input: string, flags: PredictFlags) =>
      abortOnInterrupt((signal) => inFlags(FLAGS, () => predict(model, input, flags, signal))),
    );
  addCsvFlags(command);
}

async function predict(modelFile: string, input: string, flags: PredictFlags, signal: AbortSignal): Promise<void> {
  const out = required('--out', flags.out, `a file that ends in ${LABEL_FORMATS.join(', ')}`);
  await checkOutputs({'--out': out}, [input, modelFile]);
  const model = await readModel(modelFile);
  const points = await readPointsFor(model, input, flags, signal);
  const startedAt = performance.now();
  const labels = await nameFile(input, () => model.predict(points));
  const ms = performance.now() - startedAt;
  throwIfAborted(signal, 'write');
  const {writeLabelled} = await import('../cluster/writeOutputs.ts');
  await writeLabelled(out, {points, labels, globe: model.state.params}, signal);
  const noise = labels.reduce((sum, label) => sum + (label < 0 ? 1 : 0), 0);
  const found = new Set(labels.filter((label) => label >= 0)).size;
  const counts = `${formatCount(labels.length)} points in ${formatCount(found)} clusters, ${formatCount(noise)} noise`;
  process.stdout.write(`${counts}; ${formatCount(model.coreCount)} core points, ${ms.toFixed(0)} ms\n`);
}

/** @throws UsageError  if the path is not a regular file, or the file no whole model */
async function readModel(file: string): Promise<DbscanModel> {
  const [{loadModel}, {DatasetFormatError, readWholeFile, withOpenFile}] = await Promise.all([
    import('@epsball/predict'),
    import('@epsball/datasets'),
  ]);
  const what = 'a file of "epsball cluster --save-model"';
  try {
    const read = async (opened: OpenFile): Promise<DbscanModel> => {
      await requireMagic(opened);
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

/** A large file of another kind is refused before it is read. */
async function requireMagic(file: OpenFile): Promise<void> {
  const {readBytes} = await import('@epsball/datasets');
  const magic = Buffer.from('ARROW1');
  const start = Buffer.alloc(Math.min(magic.length, file.size));
  await readBytes(file, start, 0);
  if (!start.equals(magic)) throw new UsageError('MODEL', file.path, 'an Arrow file, which begins with ARROW1');
}

async function readPointsFor(
  model: DbscanModel,
  input: string,
  flags: PredictFlags,
  signal: AbortSignal,
): Promise<LoadedPoints> {
  const {readInput} = await import('../cluster/readInput.ts');
  const {dataset, dim, columns} = flags;
  const {metric = 'euclidean'} = model.state.params;
  const hasNames = input === STANDARD_INPUT || WITH_COLUMNS.test(input);
  const chosen = columnsOf({metric, columns}, hasNames);
  const loaded = await readInput(input, {columns: chosen, dataset, dim, ...csvFormatOf(flags), signal});
  if (loaded.dim !== model.state.dim) {
    throw new UsageError('INPUT', input, `${model.state.dim} coordinates a point, as the model; it has ${loaded.dim}`);
  }
  return pointsInOrder(loaded, {metric, columns}, hasNames);
}
