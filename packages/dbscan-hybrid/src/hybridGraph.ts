import {throwIfAborted, type DbscanParams} from '@epsball/clustering';
import type {GraphIndex, NeighborGraph, UncountedGraph} from '@epsball/neighbor-graph';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import type {ComingArrays} from './graphArrays.ts';
import {CHUNK_EDGES_MAX, CHUNKS_WANTED, edgesThatBind, enterPhase, type RunParts} from './runParts.ts';

/**
 * Degrees and the layout of the edges that travel; what the threads need of it is on its way when this resolves. Without an index a
 * test of all pairs is the work, so that the whole graph is made at once where there is room, and the edges that travel come out of it.
 */
export async function buildGraph(
  parts: RunParts,
  points: DevicePoints,
  {eps, minPts}: DbscanParams,
  index: GraphIndex,
): Promise<{readonly graph: NeighborGraph; readonly coming: ComingArrays}> {
  const {builder, arrays, timer, clock, options} = parts;
  enterPhase(parts, 'index');
  const isWhole = index === 'none' || (index === 'auto' && points.dim > MAX_GRID_DIM);
  const ask = (graph: UncountedGraph): ComingArrays => arrays.ask(graph, (encoder) => timer.beginPass(encoder, 'core'));
  let coming: ComingArrays | undefined;
  const graph = await builder.build(
    points,
    {eps, minPts},
    {
      index,
      filter: isWhole ? 'all' : 'core',
      beginIndexPass: (encoder) => timer.beginPass(encoder, 'index'),
      // Degrees, then row lengths; one name on the device, because the two are one kind of work.
      beginGraphPass: (encoder) => {
        if (clock.phase === 'index') enterPhase(parts, 'core');
        return timer.beginPass(encoder, clock.phase ?? 'core');
      },
      beforeWait: (uncounted) => {
        if (!isWhole) coming = ask(uncounted);
      },
      betweenSteps: async () => {
        throwIfAborted(options.signal, clock.phase ?? 'core');
        await timer.makeRoom();
      },
    },
  );
  if (isWhole) await keepGraph(parts, graph);
  return {graph, coming: coming ?? ask({...graph, rowStart: (await builder.plan('core')).rowStart})};
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
