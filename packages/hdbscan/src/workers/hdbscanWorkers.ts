import {checkKnownOptions, reportParts, type PartListener, type PointSet} from '@epsball/clustering';
import {divideKdNode, KD_LEAF_POINTS, layKdTree, type KdNode, type KdTree} from '@epsball/kd-tree';
import {evenBounds, taskModule, usePool, type PoolOptions, type Wave, type WorkerPool} from '@epsball/workers';
import type {HdbscanAlgorithm, HdbscanPhase, HdbscanRunOptions} from '../algorithm.ts';
import type {RangeSteps} from '../hierarchy/condenseGrown.ts';
import {laySort, orderKeys, SORT_DIGITS, sortEdges} from '../hierarchy/sortEdges.ts';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';
import {HdbscanOnHost} from '../onHost.ts';
import type {BoruvkaState} from '../tree/boruvkaState.ts';
import type {RunSteps} from '../tree/stepsOnThread.ts';
import type * as boruvkaTasks from './boruvkaTasks.ts';
import type {NodesInput} from './boruvkaTasks.ts';

const tasks = taskModule<typeof boruvkaTasks>(import.meta.url, 'boruvkaTasks');

/** Leaves in a chunk: a millisecond or so, after which a thread checks for an abort. */
const LEAVES_PER_CHUNK = 128;

/** Subtrees of the k-d tree a thread, since their times vary; and at least so many points in one. */
const SUBTREES_PER_THREAD = 4;
const POINTS_PER_SUBTREE = 2 ** 12;

/** Positions in the range of a thread: in a selection, each range looks at all edges. */
const POSITIONS_PER_THREAD = 2 ** 14;

/** Fewer edges a thread are sorted sooner on the calling thread: a step takes some 50 µs. */
const EDGES_PER_THREAD = 2 ** 14;

export type HdbscanWorkersOptions = PoolOptions;

/**
 * HDBSCAN* on worker threads: the build of a k-d tree in shared memory, core distances and the search of each round are
 * waves over its nodes and leaves. The first components and the clusters of a run grow in a range of positions for each
 * thread. The calling thread joins what leads from range to range. The result is that of `createHdbscanSequential`, to
 * the byte, with any number of threads. Threads start here and live until `destroy()`. Runs of one algorithm come one
 * after another.
 *
 * Additional counter: `threads`.
 *
 * @param options  threads
 * @returns        owned by the caller
 * @throws InvalidParameterError  if an option is unknown, or `threads` is out of range or beside a pool
 */
export function createHdbscanWorkers(options: HdbscanWorkersOptions = {}): HdbscanAlgorithm {
  checkKnownOptions(options, ['threads', 'pool'], 'options', 'an object such as {threads: 4}');
  const {pool, release} = usePool(options);
  return new HdbscanOnHost({
    buildTree: (points, run) => buildTree(pool, points, run),
    counters: {threads: pool.threads},
    destroy: release,
    stepsOf: (state, runOptions) => stepsOnThreads(pool, state, runOptions),
  });
}

/** The steps of a run as waves over the leaves of its tree. The arrays of the state are in shared memory. */
export function stepsOnThreads(
  pool: WorkerPool,
  state: BoruvkaState,
  {signal, onProgress}: HdbscanRunOptions,
): RunSteps {
  const {n} = state.tree;
  const bounds = evenBounds(state.leaves.length, Math.ceil(state.leaves.length / LEAVES_PER_CHUNK));
  const over = <Input>(phase: HdbscanPhase, input: Input): Wave<Input> => ({phase, input, bounds, signal});
  const chunkCount = bounds.length - 1;
  const reportTree = reportParts('tree', n, onProgress);
  return {
    cores: async (rank) => {
      const onChunks = (chunks: number): void =>
        onProgress?.({phase: 'core', done: Math.round((chunks / chunkCount) * n), total: n});
      await pool.wave(tasks, 'coresChunk', {...over('core', {state, rank}), onProgress: onChunks});
      onChunks(chunkCount);
    },
    buffer: inShared,
    search: async (round, [from, to]) => {
      const step = {phase: 'tree', bounds};
      const before = [
        {...step, name: 'layLeafComponents'},
        {...step, name: 'layNodeComponents', bounds: [0, 1]},
        {...step, name: 'searchInside'},
      ] as const;
      const search = {...step, name: 'searchLeaves'} as const;
      const after = round.chosen === undefined ? [] : [{...step, name: 'chooseEdges'} as const];
      // The search takes almost all of the time.
      const chunksBefore = 2 * chunkCount + 1;
      const onChunks = (chunks: number): void =>
        reportTree?.(from + (to - from) * Math.min(1, Math.max(0, (chunks - chunksBefore) / chunkCount)));
      onChunks(0);
      await pool.steps(tasks, {input: round, steps: [...before, search, ...after], signal, onProgress: onChunks}).ended;
      onChunks(chunksBefore + chunkCount);
    },
    unite: async () =>
      (await pool.wave(tasks, 'uniteRange', {...over('tree', state), bounds: rangesOf(pool, n)})).results,
    sort: () => sortOnThreads(pool, state, signal),
    ranges: pool.threads > 1 ? rangeSteps(pool, state, signal) : undefined,
  };
}

/** A range of positions for each thread. */
function rangesOf(pool: WorkerPool, n: number): number[] {
  return evenBounds(n, Math.min(pool.threads, Math.ceil(n / POSITIONS_PER_THREAD)));
}

/** The arrays of a selection lie in memory of the state, which has ended by then, as far as they fit. */
function rangeSteps(pool: WorkerPool, state: BoruvkaState, signal: AbortSignal | undefined): RangeSteps {
  const {tree, core, component, foundTo, sortMemory} = state;
  const free = [sortMemory[1], tree.coords.buffer, core.buffer, component.buffer, foundTo.buffer];
  const memory = free.map((buffer) => ({buffer, used: 0}));
  const take = (bytes: number): [buffer: ArrayBufferLike, offset: number] => {
    const fits = ({buffer, used}: {buffer: ArrayBufferLike; used: number}): boolean =>
      buffer.byteLength - used >= bytes;
    const found = memory.find(fits) ?? {buffer: inShared(bytes), used: 0};
    const offset = found.used;
    found.used += Math.ceil(bytes / 8) * 8;
    return [found.buffer, offset];
  };
  const parts = 2 ** Math.ceil(Math.log2(pool.threads));
  const over = <Input>(input: Input, bounds = rangesOf(pool, tree.n)): Wave<Input> => ({
    phase: 'hierarchy',
    input,
    bounds,
    signal,
  });
  return {
    integers: (length) => new Int32Array(...take(4 * length), length),
    numbers: (length) => new Float64Array(...take(8 * length), length),
    growRange: async (growing) => void (await pool.wave(tasks, 'growRange', over(growing))),
    placeRange: async (placing) => void (await pool.wave(tasks, 'placeRange', over(placing))),
    parts,
    leavePart: async (leaving) => void (await pool.wave(tasks, 'leavePart', over(leaving, evenBounds(parts, parts)))),
    describeRange: async (describing) => void (await pool.wave(tasks, 'describeRange', over(describing))),
  };
}

/** A k-d tree in shared memory. Divides node by node, level by level, until each thread has subtrees of its own. */
export async function buildTree(
  pool: WorkerPool,
  points: PointSet,
  {signal, onProgress}: {readonly signal?: AbortSignal | undefined; readonly onProgress?: PartListener | undefined},
): Promise<KdTree> {
  const tree = layKdTree(points, KD_LEAF_POINTS, true);
  let nodes: readonly KdNode[] = [{node: 0, from: 0, to: tree.n}];
  const subtrees = Math.min(SUBTREES_PER_THREAD * pool.threads, tree.n / POINTS_PER_SUBTREE);
  if (subtrees <= 1) {
    divideKdNode(tree, KD_LEAF_POINTS, nodes[0], onProgress);
    return tree;
  }
  // Each takes about the same time.
  const levels = Math.log2(tree.n / KD_LEAF_POINTS);
  const over = (): Wave<NodesInput> => ({
    phase: 'index',
    input: {tree, nodes},
    bounds: evenBounds(nodes.length, nodes.length),
    signal,
  });
  while (nodes.length < subtrees) {
    const {results} = await pool.wave(tasks, 'splitChunk', over());
    nodes = results.flat();
    onProgress?.(Math.log2(nodes.length) / levels);
  }
  const split = Math.log2(nodes.length) / levels;
  const onChunks = (chunks: number): void => onProgress?.(split + (1 - split) * (chunks / nodes.length));
  await pool.wave(tasks, 'divideChunk', {...over(), onProgress: onChunks});
  onProgress?.(1);
  return tree;
}

function inShared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

/** `sortEdges` on threads; the result in memory that they share, if they have sorted it. */
async function sortOnThreads(
  pool: WorkerPool,
  {edges, sortMemory}: BoruvkaState,
  signal: AbortSignal | undefined,
): Promise<TreeEdges> {
  const {length} = edges.squared;
  const threads = Math.min(pool.threads, Math.floor(length / EDGES_PER_THREAD));
  if (threads < 2) return sortEdges(edges, sortMemory);
  const input = laySort(edges, sortMemory, threads, inShared);
  const bounds = evenBounds(length, threads);
  const over = <Name extends string>(name: Name, of = bounds) => ({phase: 'hierarchy', name, bounds: of});
  const digit = [over('countDigits'), over('placeDigits', [0, 1]), over('moveEdges')];
  const digits = Array.from({length: SORT_DIGITS}, () => digit).flat();
  await pool.steps(tasks, {input, steps: [over('readEdges'), ...digits, over('writeSorted')], signal}).ended;
  return orderKeys(input);
}
