// Flags that several commands have. Loads no library: a refused flag costs nothing.
import type {Angles, EpsUnit, Metric, MissingRule} from '@epsball/clustering';
import type {Backend} from '@epsball/dbscan';
import {ADAPTER_CHOICES, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import {InvalidArgumentError, Option, type Command} from 'commander';
import {UsageError} from './errors.ts';
import {choice, names, numberFrom, outputFile, positiveInteger, positiveNumber} from './options.ts';

export const LABEL_FORMATS: readonly string[] = ['.npy', '.csv', '.json', '.parquet', '.arrow', '.geojson'];
export const PLOT_FORMATS: readonly string[] = ['.svg', '.png'];

/** What `--backend` takes beside `auto`. */
export const BACKENDS: readonly string[] = keysOf<Backend>({sequential: 1, workers: 1, gpu: 1});
const METRICS = keysOf<Metric>({euclidean: 1, manhattan: 1, chebyshev: 1, haversine: 1, cosine: 1});
export const EPS_UNITS: readonly EpsUnit[] = keysOf<EpsUnit>({m: 1, km: 1, mi: 1, rad: 1});

/** All members of a union; the compiler finds a missing one. */
function keysOf<Key extends string>(keys: Record<Key, 1>): Key[] {
  return Object.keys(keys).filter((key): key is Key => key in keys);
}

/** How the points of a file are read. */
export interface PointFlags {
  readonly columns?: readonly string[];
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly dim?: number;
  readonly precision: 'source' | 'float32' | 'float64';
  /** Of commands that read into memory. */
  readonly dataset?: string;
  /** Of commands that take weights. */
  readonly weightColumn?: string;
  /** Of commands that take times. */
  readonly timeColumn?: string;
  /** Of commands that take groups. */
  readonly by?: string;
  /** Of commands that take a query: a SELECT of DuckDB. */
  readonly sql?: string;
  /** Of commands that write labels: columns beside them. */
  readonly keep?: readonly string[];
  /** Of commands that take rows without a place. Default: `error`. */
  readonly missing?: MissingRule;
}

/** Characters that a shell or a table of options hardly shows, by name. */
const NAMED: Readonly<Record<string, string>> = {tab: '\t', '\\t': '\t', space: ' '};

/** The character that a delimiter names. */
export function delimiterOf(text: string): string {
  return NAMED[text] ?? text;
}

export function addPointFlags(command: Command): Command {
  return command
    .optionsGroup('Points:')
    .option('--columns <a,b>', 'columns of a table, by name or position; LAT,LON with haversine', names)
    .option(
      '--delimiter <C>',
      'character between the cells of CSV, such as ";"; tab; space for any white space. Default: found',
      delimiterOf,
    )
    .addOption(choice('--decimal <C>', 'decimal mark of CSV', ['.', ',']))
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger)
    .addOption(choice('--precision <P>', 'precision of the coordinates', ['source', 'float32', 'float64'], 'source'));
}

export function addDatasetFlag(command: Command): Command {
  return command.option('--dataset <NAME>', 'dataset of HDF5, array of NPZ, table of a database, or sheet of Excel');
}

export function addSqlFlag(command: Command): Command {
  return command.option('--sql <QUERY>', 'points by a SELECT of DuckDB, such as "SELECT x, y FROM \'a/*.parquet\'"');
}

export function addGroupFlag(command: Command): Command {
  return command.option('--by <COLUMN>', 'column, or property of GeoJSON: each group of its values is clustered alone');
}

export function addMissingFlag(command: Command): Command {
  const rules = keysOf<MissingRule>({error: 1, noise: 1, drop: 1});
  const what = 'rows without a value, and with cosine zero vectors: an error, noise, or left out. Default: error';
  return command.addOption(choice('--missing <RULE>', what, rules));
}

/**
 * @param others  flags, each with its value
 * @throws UsageError  if one of them is given beside `--by`: it is of all points at once
 */
export function checkBy(by: string | undefined, others: Readonly<Record<string, unknown>>): void {
  if (by === undefined) return;
  const flag = Object.keys(others).find((name) => others[name] !== undefined);
  if (flag === undefined) return;
  throw new UsageError('--by', by, `no ${flag} beside it: it takes no groups`);
}

/** Columns that a file of labels has itself. */
const OWN_COLUMNS: readonly string[] =
  'index row rows label labels core coreMask clusterCount probability outlier_score'.split(' ');

/** @throws UsageError  if `--keep` names no columns for the file of labels, or those that it has */
export function checkKeep({keep, out}: Pick<PointFlags & OutputFlags, 'keep' | 'out'>): void {
  if (keep === undefined) return;
  if (out === undefined || /\.(?:npy|geojson)$/i.test(out)) {
    throw new UsageError('--keep', keep.join(), 'a table beside it: --out with .csv, .json, .parquet, .arrow or -');
  }
  const taken = keep.find((name, k) => OWN_COLUMNS.includes(name) || keep.indexOf(name) < k);
  if (taken !== undefined) throw new UsageError('--keep', taken, 'names that the labels do not have, each once');
}

/** The metric, and where on the globe. */
export interface MetricFlags {
  readonly metric: Metric;
  readonly angles?: Angles;
}

export function addMetricFlags(command: Command): Command {
  const angles = choice('--angles <A>', 'unit of latitudes and longitudes. Default: degrees', ['degrees', 'radians']);
  return command.addOption(choice('--metric <M>', '', METRICS, 'euclidean')).addOption(angles);
}

/** A radius as it is typed: `0.5`, or `20km`. */
export interface Radius {
  readonly text: string;
  readonly value: number;
  readonly unit: EpsUnit | undefined;
}

const WITH_UNIT = /^([^a-z]*(?:e[+-]?\d+)?)\s*([a-z]+)$/i;

/** A parser for commander: a number > 0, with or without a unit of length or angle. */
export function radius(text: string): Radius {
  const [, digits, word] = WITH_UNIT.exec(text.trim()) ?? [];
  if (word === undefined) return {text, value: positiveNumber(text.trim()), unit: undefined};
  const unit = EPS_UNITS.find((one) => one === word);
  const expectation = `a number > 0, with --metric haversine followed by one of ${EPS_UNITS.join(', ')}`;
  if (unit === undefined || digits === '') throw new InvalidArgumentError(expectation);
  return {text, value: positiveNumber(digits.trim()), unit};
}

/** Seconds in the units of a span of time. */
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['ms', 1 / 1000],
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400],
]);

/** A parser for commander: a number ≥ 0, in the unit of the times; or with a unit, in seconds. */
export function timeSpan(text: string): number {
  const [, digits = text.trim(), word] = WITH_UNIT.exec(text.trim()) ?? [];
  const seconds = word === undefined ? 1 : SECONDS.get(word);
  if (seconds === undefined || digits === '') {
    const units = [...SECONDS.keys()].join(', ');
    throw new InvalidArgumentError(
      `a number ≥ 0 in the unit of the times, or for times in seconds one of ${units} behind`,
    );
  }
  const value = numberFrom(0)(digits.trim());
  return word === 'ms' ? value / 1000 : value * seconds;
}

/** Checks that the flags fit together: eps has a unit with haversine alone, and no flag would be ignored. */
export function checkMetric({
  eps,
  metric,
  angles,
  columns,
}: MetricFlags & Pick<PointFlags, 'columns'> & {readonly eps?: Radius}): void {
  if (metric === 'haversine') {
    if (eps !== undefined && eps.unit === undefined) {
      throw new UsageError('--eps', eps.text, `a unit with --metric haversine: ${eps.text}km, or m, mi, rad`);
    }
    if (columns === undefined || columns.length === 2) return;
    const expectation = 'a latitude and a longitude with --metric haversine: LAT,LON';
    throw new UsageError('--columns', columns.join(','), expectation);
  }
  if (eps?.unit !== undefined) {
    throw new UsageError('--eps', eps.text, `no unit with --metric ${metric}; lengths need --metric haversine`);
  }
  if (angles !== undefined) throw new UsageError('--angles', angles, `no angles with --metric ${metric}`);
}

export interface BackendFlags {
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly adapter: AdapterChoice;
}

/** @param threads  the flag `--threads`. Default: one that `--adapter` excludes, because a GPU takes no threads */
export function addBackendFlags(
  command: Command,
  threads: Option = new Option('--threads <T>', 'worker threads').conflicts('adapter'),
): Command {
  const adapter = 'kind of GPU; hardware and software imply the GPU';
  return command
    .optionsGroup('Run:')
    .addOption(choice('--backend <WHERE>', 'where it runs', ['auto', ...BACKENDS], 'auto'))
    .addOption(threads.argParser(positiveInteger))
    .addOption(choice('--adapter <KIND>', adapter, ADAPTER_CHOICES, 'auto'));
}

/** A parser for commander: a number of GPUs, or `all`. */
export function gpuCount(text: string): number | 'all' {
  return text === 'all' ? text : positiveInteger(text);
}

/**
 * @param others  flags, each with its value
 * @throws UsageError  if one of them is given beside `--gpus`, whose processes do not take it
 */
export function checkGpus(
  gpus: number | 'all' | undefined,
  {backend}: Pick<BackendFlags, 'backend'>,
  others: Readonly<Record<string, unknown>>,
): void {
  if (gpus === undefined) return;
  if (backend !== 'auto' && backend !== 'gpu') {
    throw new UsageError('--gpus', String(gpus), `--backend gpu or auto beside it, not ${backend}`);
  }
  const flag = Object.keys(others).find((name) => others[name] !== undefined);
  if (flag !== undefined) throw new UsageError('--gpus', String(gpus), `no ${flag} beside it`);
}

/** @throws UsageError  if a flag of a command with one variant would be ignored */
export function checkBackend({backend, threads, adapter}: BackendFlags): void {
  if (threads !== undefined && backend !== 'auto' && backend !== 'workers') {
    throw new UsageError('--threads', String(threads), `--backend workers or auto beside it, not ${backend}`);
  }
  if (adapter !== 'auto' && backend !== 'auto' && backend !== 'gpu') {
    throw new UsageError('--adapter', adapter, `--backend gpu or auto beside it, not ${backend}`);
  }
}

/** Files that a run writes, and what it prints. */
export interface OutputFlags {
  readonly out?: string;
  readonly plot?: string;
  readonly json?: boolean;
  readonly verify?: boolean;
}

/** @param formats  endings of files with labels */
export function addOutputFlags(command: Command, formats: readonly string[]): Command {
  return command
    .optionsGroup('Output:')
    .option('--out <FILE>', `labels: ${formats.join('|')}`, outputFile(formats))
    .option('--keep <a,b>', 'columns of the input that stand beside the labels', names)
    .option('--plot <FILE>', `scatter plot: ${PLOT_FORMATS.join('|')}`, outputFile(PLOT_FORMATS))
    .option('--json', 'print one JSON object instead of the summary');
}
