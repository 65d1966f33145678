import {indicesBelow, pointCount, throwIfAborted} from '@epsball/clustering';
import {buildKdTree} from '@epsball/kd-tree';
import {makeSets, uniteByIndex} from '@epsball/union-find';
import type {HdbscanRunOptions, SpanningEdges} from '../algorithm.ts';
import {checkRunOptions} from '../checkParams.ts';
import {gather} from '../hierarchy/numberTree.ts';
import {NO_EDGES, type TreeEdges} from '../hierarchy/treeEdges.ts';
import {firstPoints, type Places} from '../places.ts';
import {spanningTree} from './boruvka.ts';
import {createState, layCores} from './boruvkaState.ts';
import {withFarEdges} from './farEdges.ts';
import {stepsOnThread} from './stepsOnThread.ts';

/**
 * The minimum spanning tree that takes edges in the order of (w², smaller index, larger index). With a total order
 * Borůvka's algorithm finds the one tree of Kruskal's.
 *
 * @param places       of which the core distances are
 * @param coreSquared  by place; not modified. Absent: there is no tree
 * @returns            owned by the caller
 * @throws InvalidParameterError, RunAbortedError
 */
export async function uniqueTree(
  places: Places,
  coreSquared: Float64Array | undefined,
  options: HdbscanRunOptions = {},
): Promise<SpanningEdges> {
  checkRunOptions(options);
  throwIfAborted(options.signal, 'start');
  if (coreSquared === undefined) return NO_EDGES;
  const tree = buildKdTree(places.points);
  const state = createState(tree, {isUnique: true});
  for (let p = 0; p < tree.n; p++) state.core[p] = coreSquared[tree.pointOrder[p]];
  layCores(state);
  await spanningTree(state, stepsOnThread(state, options));
  const edges = withoutChoice(byIndex(state.edges, tree.pointOrder), pointCount(places.points));
  const {from, to, squared} = edges;
  const order = indicesBelow(from.length).sort((a, b) => squared[a] - squared[b] || from[a] - from[b] || to[a] - to[b]);
  const first = firstPoints(places);
  const named = (ends: Int32Array): Int32Array => (first === undefined ? ends : ends.map((place) => first[place]));
  return {from: named(gather(from, order)), to: named(gather(to, order)), squared: gather(squared, order)};
}

/** Edges between indices, the smaller one first. */
function byIndex({from, to, squared}: TreeEdges, pointOrder: Int32Array): TreeEdges {
  const ends = from.map((p, edge) => Math.min(pointOrder[p], pointOrder[to[edge]]));
  return {from: ends, to: to.map((q, edge) => Math.max(pointOrder[q], pointOrder[from[edge]])), squared};
}

/** Squares above the range of float64 are all infinite, and leave a choice. */
function withoutChoice({from, to, squared}: TreeEdges, n: number): TreeEdges {
  const parent = new Int32Array(n);
  makeSets(parent);
  let count = 0;
  for (let k = 0; k < squared.length; k++) {
    if (squared[k] === Infinity) continue;
    [from[count], to[count], squared[count]] = [from[k], to[k], squared[k]];
    count++;
    uniteByIndex(parent, from[k], to[k]);
  }
  return withFarEdges({from, to, squared}, count, parent);
}
