import {writeLabels} from '@epsball/datasets';
import {whileWriting, withProgress} from '../cluster/progressBar.ts';
import {readTable} from '../cluster/readInput.ts';
import {share} from '../cluster/runReport.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {checkOutputs, nameOfInput, printSummary} from '../options.ts';
import {onThread} from '../thread/onThread.ts';
import {countNoise, formatCount, formatMs, formatTable} from '../text.ts';
import type {GraphFlags} from './graphFlags.ts';
import type * as graphJob from './graphJob.ts';

/** The object that `epsball graph --json` prints on one line. */
interface GraphReport {
  readonly input: string;
  readonly vertices: number;
  /** Pairs of different vertices, each once. */
  readonly pairs: number;
  readonly algorithm: 'dbscan' | 'hdbscan';
  readonly clusters: number;
  readonly noise: number;
  /** Core vertices; null for HDBSCAN*. */
  readonly core: number | null;
  readonly ms: {readonly read: number; readonly wall: number};
  readonly out: string | null;
}

export async function clusterGraph(input: string, flags: GraphFlags, signal: AbortSignal): Promise<void> {
  const {out, eps, weights: weightFile, json} = flags;
  await checkOutputs({'--out': out}, weightFile === undefined ? [input] : [input, weightFile]);
  const readAt = performance.now();
  const table = await readTable(input, {...flags, precision: 'float64'}, signal);
  if (table.dim === 2 && eps !== undefined) {
    throw new UsageError('--eps', String(eps), 'a third column with distances in EDGES');
  }
  if (table.dim === 2 && flags.minClusterSize !== undefined) {
    throw new UsageError('EDGES', input, 'a third column with distances for --min-cluster-size');
  }
  const sampleWeight = weightFile === undefined ? undefined : await readWeights(weightFile, flags, signal);
  const readMs = performance.now() - readAt;
  const {dim, coords} = table;
  const {buffer} = coords;
  const moved = buffer instanceof ArrayBuffer && buffer.byteLength === coords.byteLength ? [buffer] : [];
  const found = await withProgress('sort', (onProgress) =>
    onThread<typeof graphJob>(
      '../graph/graphJob',
      {input, table: {coords, dim}, sampleWeight, flags},
      {signal, onProgress, moved},
    ),
  );
  const {labels, coreMask, probabilities, outlierScores, clusterCount, pairs, sortMs, wall} = found;
  if (out !== undefined) {
    const columns = probabilities && outlierScores && {probability: probabilities, outlier_score: outlierScores};
    await whileWriting([out], (onProgress) => writeLabels(out, labels, coreMask, {signal, onProgress, columns}));
  }
  const report: GraphReport = {
    input,
    vertices: labels.length,
    pairs,
    algorithm: coreMask === undefined ? 'hdbscan' : 'dbscan',
    clusters: clusterCount,
    noise: countNoise(labels),
    core: coreMask === undefined ? null : coreMask.reduce((sum, flag) => sum + flag, 0),
    ms: {read: readMs + sortMs, wall},
    out: out ?? null,
  };
  printSummary(json === true ? jsonLine(report) : formatGraphReport(report), out);
}

/** A weight for each vertex. @throws UsageError  if there are several columns, or not as many weights as vertices */
async function readWeights(
  file: string,
  {vertices}: Pick<GraphFlags, 'vertices'>,
  signal: AbortSignal,
): Promise<Float64Array> {
  const shape = file.toLowerCase().endsWith('.npy') ? {dim: 1} : {};
  const {coords, dim} = await readTable(file, {...shape, precision: 'float64'}, signal);
  if (dim !== 1) throw new UsageError('--weights', file, `one column of weights; it has ${dim}`);
  if (vertices !== undefined && coords.length !== vertices) {
    throw new UsageError('--weights', file, `${vertices} weights, one a vertex; it has ${coords.length}`);
  }
  return Float64Array.from(coords);
}

function formatGraphReport(report: GraphReport): string {
  const {input, vertices, pairs, algorithm, clusters, noise, core, ms, out} = report;
  return formatTable([
    ['vertices', `${formatCount(vertices)} (${nameOfInput(input)})`],
    ['pairs', formatCount(pairs)],
    ['algorithm', algorithm],
    ['clusters', formatCount(clusters)],
    ['noise', share(noise, vertices)],
    ...(core === null ? [] : [['core', share(core, vertices)]]),
    ['time', `${formatMs(ms.wall)}; reading the file took ${formatMs(ms.read)}`],
    ...(out === null ? [] : [['labels', out]]),
  ]);
}
