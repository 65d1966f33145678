import {throwIfAborted, type DbscanParams} from '@epsball/clustering';
import type {EdgePlan, GraphIndex, NeighborGraph} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import type {ComingArrays, ComingRows} from './graphArrays.ts';
import {CHUNK_EDGES_MAX, CHUNKS_WANTED, edgesThatBind, enterPhase, type RunParts} from './runParts.ts';

/** Edges a point that come before they are counted: in the plane, where a point of a cluster has about two, they mostly fit. */
const EDGES_AHEAD = 2;

/** What is on its way to the threads: rows and their edges, or the edges follow. */
export type Coming = {readonly rows: ComingRows} | {readonly arrays: ComingArrays};

/**
 * Degrees and the layout of the edges that travel; what the threads need of it is on its way when this resolves, where they are few
 * with the edges. Without an index a test of all pairs is the work, so that the whole graph is made at once where there is room, and
 * the edges that travel come out of it.
 */
export async function buildGraph(
  parts: RunParts,
  points: DevicePoints,
  {eps, minPts}: DbscanParams,
  index: GraphIndex,
): Promise<{readonly graph: NeighborGraph; readonly plan: EdgePlan; readonly coming: Coming}> {
  const {builder, arrays, firstEdges, timer, clock, options} = parts;
  enterPhase(parts, 'index');
  const isWhole = index === 'none' || (index === 'auto' && points.dim > MAX_GRID_DIM);
  const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => timer.beginPass(encoder, 'core');
  const room = EDGES_AHEAD * points.n;
  // Not where they rarely fit.
  const isAhead = !isWhole && room <= Math.min(parts.maxEdges ?? CHUNK_EDGES_MAX, CHUNK_EDGES_MAX);
  let coming: Coming | undefined;
  const graph = await builder.build(
    points,
    {eps, minPts},
    {
      index,
      filter: isWhole ? 'all' : 'core',
      edges: isAhead ? await firstEdges.take(4 * room) : undefined,
      beginIndexPass: (encoder) => timer.beginPass(encoder, 'index'),
      // Degrees, then row lengths; one name on the device, because the two are one kind of work.
      beginGraphPass: (encoder) => {
        if (clock.phase === 'index') enterPhase(parts, 'core');
        return timer.beginPass(encoder, clock.phase ?? 'core');
      },
      beforeWait: (uncounted) => {
        const {edges} = uncounted;
        if (edges) coming = {rows: arrays.askForRows(uncounted, edges, room, beginPass)};
        else if (!isWhole) coming = {arrays: arrays.ask(uncounted, beginPass)};
      },
      betweenSteps: async () => {
        throwIfAborted(options.signal, clock.phase ?? 'core');
        await timer.makeRoom();
      },
    },
  );
  if (isWhole) await keepGraph(parts, graph);
  const plan = await builder.plan('core');
  if (coming && 'rows' in coming && plan.edgeCount > room) {
    await coming.rows.drop();
    coming = undefined;
  }
  return {graph, plan, coming: coming ?? {arrays: arrays.ask({...graph, rowStart: plan.rowStart}, beginPass)}};
}

/** Makes all edges at once, where they are as few as threads may keep and the device has memory for them. */
async function keepGraph(
  {gpu, builder, wholeGraph, timer, maxEdges = CHUNK_EDGES_MAX}: RunParts,
  {n, edgeCount}: NeighborGraph,
): Promise<void> {
  if (edgeCount > Math.min(CHUNKS_WANTED * maxEdges, edgesThatBind(gpu))) return;
  const edges = await wholeGraph.take(4 * edgeCount);
  if (edges === undefined) return;
  await builder.plan('all');
  await timer.makeRoom();
  await builder.writeEdges({firstRow: 0, rowCount: n, edgeCount}, edges);
  builder.keepEdges(edges);
}
