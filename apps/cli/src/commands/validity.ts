import type {ClusterValidity, ValidityResult} from '@epsball/hdbscan';
import type {LeftColumn} from '@epsball/clustering';
import type {Command} from 'commander';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {addDatasetFlag, addMissingFlag, addPointFlags, type PointFlags} from '../flags.ts';
import {checkOutputs, outputFile, positiveInteger, printSummary, runCommand} from '../options.ts';
import {formatCount, formatTable} from '../text.ts';

interface ValidityFlags extends PointFlags {
  readonly labelColumn?: string;
  readonly threads?: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** The object that `epsball validity --json` prints on one line. */
interface ValidityReport {
  readonly labels: string;
  readonly input: string;
  readonly points: number;
  /** As in the report of `cluster`. */
  readonly columns: readonly string[] | null;
  readonly left: readonly LeftColumn[] | null;
  readonly noise: number;
  readonly score: number;
  readonly clusters: readonly ClusterRow[];
}

interface ClusterRow {
  readonly label: number;
  readonly size: number;
  /** Null for one point. */
  readonly sparseness: number | null;
  /** Null for one point, or without another cluster. */
  readonly separation: number | null;
  readonly validity: number;
}

const SHOWN = 20;
const FORMATS: readonly string[] = ['.csv', '.tsv', '.parquet'];

export function addValidityCommand(program: Command): void {
  const command = program
    .command('validity')
    .description('score the labels of a file by DBCV, from −1 to 1')
    .argument('<LABELS>', 'labels of the points, −1 for noise: .npy, .csv, .tsv, .txt, .parquet, .arrow')
    .argument('<INPUT>', 'file of points, as for cluster')
    .option('--label-column <l>', 'column of LABELS. Default: label, or the only column of numbers')
    .option('--threads <T>', 'worker threads. Default: none', positiveInteger)
    .option('--out <FILE>', `scores of all clusters: ${FORMATS.join('|')}`, outputFile(FORMATS))
    .option('--json', 'print one JSON object instead of the summary');
  addMissingFlag(addDatasetFlag(addPointFlags(command))).action((labels: string, input: string, flags: ValidityFlags) =>
    runCommand(command, (signal) => scoreLabels(labels, input, flags, signal), {column: '--label-column'}),
  );
}

async function scoreLabels(file: string, input: string, flags: ValidityFlags, signal: AbortSignal): Promise<void> {
  const {labelColumn: column, threads, out, missing: rule} = flags;
  const [{readLabels, writeTable}, {validity}, reader, {completeInput}, {withProgress}, left] = await Promise.all([
    import('@epsball/datasets'),
    import('@epsball/hdbscan'),
    import('../cluster/readInput.ts'),
    import('../cluster/missingRows.ts'),
    import('../cluster/progressBar.ts'),
    import('../cluster/leftColumns.ts'),
  ]);
  await checkOutputs({'--out': out}, [file, input]);
  const labels = await readLabels(file, {column, signal});
  const euclidean = {...flags, metric: 'euclidean'} as const;
  const points = await reader.readInput(input, euclidean, signal);
  await reader.warnOfColumns(points, euclidean);
  const all = points.coords.length / points.dim;
  const {missing} = await reader.nameFile(input, () => completeInput(points, euclidean));
  // A file of labels of a run that left rows out has no rows for them.
  const n = rule === 'drop' ? (missing?.rows.length ?? all) : all;
  if (labels.length !== n && labels.length !== all) {
    throw new UsageError('LABELS', file, `${formatCount(n)} labels, one a point; it has ${formatCount(labels.length)}`);
  }
  const result = await withProgress('score', (onProgress) =>
    reader.nameFile(input, () => validity(points, labels, {threads, missing: rule, signal, onProgress})),
  );
  signal.throwIfAborted();
  if (out !== undefined) await writeTable(out, {...result.clusters}, {signal});
  const {columns = null} = points;
  const report = reportOf({labels: file, input, points: n, columns, left: left.leftOf(points)}, result);
  printSummary(flags.json === true ? jsonLine(report) : formatReport(report) + left.columnsLine(points), out);
}

function reportOf(
  of: Pick<ValidityReport, 'labels' | 'input' | 'points' | 'columns' | 'left'>,
  {score, clusters}: ValidityResult,
): ValidityReport {
  const clustered = clusters.size.reduce((sum, size) => sum + size, 0);
  return {...of, noise: of.points - clustered, score, clusters: rowsOf(clusters)};
}

function rowsOf({label, size, sparseness, separation, validity}: ClusterValidity): ClusterRow[] {
  const known = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return Array.from(label, (one, c) => ({
    label: one,
    size: size[c],
    sparseness: known(sparseness[c]),
    separation: known(separation[c]),
    validity: validity[c],
  }));
}

/** The score, and the largest clusters. */
function formatReport({score, points, noise, clusters}: ValidityReport): string {
  const digits = (value: number | null): string => (value === null ? '–' : String(Number(value.toPrecision(4))));
  const largest = clusters.toSorted((a, b) => b.size - a.size || a.label - b.label).slice(0, SHOWN);
  const counts = `${formatCount(points)} points, ${formatCount(noise)} noise, ${formatCount(clusters.length)} clusters`;
  const rows = largest.map(({label, size, sparseness, separation, validity}) => [
    String(label),
    formatCount(size),
    digits(sparseness),
    digits(separation),
    digits(validity),
  ]);
  const table =
    rows.length === 0 ? '' : formatTable([['CLUSTER', 'POINTS', 'SPARSENESS', 'SEPARATION', 'VALIDITY'], ...rows]);
  const others =
    clusters.length > SHOWN
      ? `${formatCount(clusters.length - SHOWN)} smaller clusters; --out or --json list them\n`
      : '';
  return `DBCV ${digits(score)}: ${counts}\n${table}${others}`;
}
