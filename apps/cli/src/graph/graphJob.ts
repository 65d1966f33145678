/** Clusters the vertices of a table of edges. */
import type {PointSet, ProgressListener} from '@epsball/clustering';
import type {GraphFlags} from './graphFlags.ts';
import {graphOf, pairsWithin, type Graph} from './readEdges.ts';

interface GraphJob {
  readonly input: string;
  readonly table: PointSet;
  readonly sampleWeight: Float64Array | undefined;
  readonly flags: Pick<GraphFlags, 'eps' | 'minPts' | 'minClusterSize' | 'minSamples' | 'selection' | 'vertices'>;
}

interface Clustered {
  readonly labels: Int32Array;
  readonly clusterCount: number;
  readonly coreMask?: Uint8Array;
  readonly probabilities?: Float64Array;
  readonly outlierScores?: Float64Array;
}

interface ClusteredGraph extends Clustered {
  /** Pairs of different vertices, each once. */
  readonly pairs: number;
  /** Time to sort the edges, and to cluster. */
  readonly sortMs: number;
  readonly wall: number;
}

export async function run(
  {input, table, sampleWeight, flags}: GraphJob,
  onProgress: ProgressListener,
): Promise<ClusteredGraph> {
  const sortedAt = performance.now();
  const graph =
    sampleWeight === undefined
      ? graphOf(input, table, onProgress, flags.vertices)
      : graphOf(input, table, onProgress, sampleWeight.length, 'the weights in --weights');
  const cluster = await clusteringOf(flags, onProgress);
  const startedAt = performance.now();
  const found = cluster(graph, sampleWeight);
  const wall = performance.now() - startedAt;
  return {...found, pairs: graph.neighbors.length / 2, sortMs: startedAt - sortedAt, wall};
}

async function clusteringOf(
  {eps = Infinity, minPts, minClusterSize, minSamples, selection}: GraphJob['flags'],
  onProgress: ProgressListener,
): Promise<(graph: Graph, sampleWeight?: Float64Array) => Clustered> {
  if (minPts !== undefined) {
    const {dbscanGraph} = await import('@epsball/dbscan');
    return (graph, sampleWeight) => dbscanGraph(pairsWithin(graph, eps), {minPts, sampleWeight, onProgress});
  }
  const {hdbscanGraph} = await import('@epsball/hdbscan');
  return (graph, sampleWeight) => {
    const params = {minClusterSize, minSamples, selection, sampleWeight};
    const {labels, clusterCount, probabilities, outlierScores} = hdbscanGraph(graph, params, {onProgress});
    return {labels, clusterCount, probabilities, outlierScores};
  };
}
