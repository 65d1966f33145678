import {writeLabels} from '@epsball/datasets';
import {whileWriting} from '../cluster/progressBar.ts';
import {readTable} from '../cluster/readInput.ts';
import {share} from '../cluster/runReport.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {checkOutputs, nameOfInput, printSummary} from '../options.ts';
import {countNoise, formatCount, formatMs, formatTable} from '../text.ts';
import type {GraphFlags} from './graphFlags.ts';
import {graphOf, pairsWithin, type Graph} from './readEdges.ts';

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

interface Clustered {
  readonly labels: Int32Array;
  readonly clusterCount: number;
  readonly coreMask?: Uint8Array;
  /** Written beside the labels. */
  readonly columns?: Readonly<Record<string, Float64Array>>;
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
  const graph =
    sampleWeight === undefined
      ? graphOf(input, table, flags.vertices)
      : graphOf(input, table, sampleWeight.length, 'the weights in --weights');
  signal.throwIfAborted();
  const readMs = performance.now() - readAt;
  const cluster = await clusteringOf(flags);
  const startedAt = performance.now();
  const clustered = cluster(graph, sampleWeight);
  const wall = performance.now() - startedAt;
  signal.throwIfAborted();
  const {labels, coreMask, columns, clusterCount} = clustered;
  if (out !== undefined) {
    await whileWriting([out], () => writeLabels(out, labels, coreMask, {signal, columns}));
  }
  const report: GraphReport = {
    input,
    vertices: labels.length,
    pairs: graph.neighbors.length / 2,
    algorithm: coreMask === undefined ? 'hdbscan' : 'dbscan',
    clusters: clusterCount,
    noise: countNoise(labels),
    core: coreMask === undefined ? null : coreMask.reduce((sum, flag) => sum + flag, 0),
    ms: {read: readMs, wall},
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

async function clusteringOf(flags: GraphFlags): Promise<(graph: Graph, sampleWeight?: Float64Array) => Clustered> {
  const {eps = Infinity, minPts, minClusterSize, minSamples, selection} = flags;
  if (minPts !== undefined) {
    const {dbscanGraph} = await import('@epsball/dbscan');
    return (graph, sampleWeight) => dbscanGraph(pairsWithin(graph, eps), {minPts, sampleWeight});
  }
  const {hdbscanGraph} = await import('@epsball/hdbscan');
  return (graph, sampleWeight) => {
    const found = hdbscanGraph(graph, {minClusterSize, minSamples, selection, sampleWeight});
    return {...found, columns: {probability: found.probabilities, outlier_score: found.outlierScores}};
  };
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
