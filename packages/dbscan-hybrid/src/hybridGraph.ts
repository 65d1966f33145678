import type {DbscanParams} from '@epsball/clustering';
import {optionsOfRun, usesGrid, type EdgePlan, type GraphIndex, type NeighborGraph} from '@epsball/neighbor-graph';
import type {DevicePoints} from '@epsball/spatial-grid/gpu';
import type {ComingArrays, ComingRows} from './graphArrays.ts';
import {CHUNK_EDGES_MAX, CHUNKS_WANTED, edgesThatBind, enterPhase, type RunParts} from './runParts.ts';

/** Edges a point that there is room for before they are counted: in the plane, a point of a cluster has about two. */
const EDGES_AHEAD = 2;

/** What is on its way to the threads: rows with all their edges, or rows whose edges follow. */
export type Coming =
  | {readonly rows: ComingRows; readonly plan: EdgePlan}
  | {readonly arrays: ComingArrays; readonly plan: EdgePlan};

/** Edges that there is room for before they are counted; undefined if they would rarely fit. */
export function roomAhead(
  {maxEdges}: RunParts,
  {n, dim}: {readonly n: number; readonly dim: number},
  index: GraphIndex,
): number | undefined {
  const room = EDGES_AHEAD * n;
  return !usesGrid(index, dim) || room > Math.min(maxEdges ?? CHUNK_EDGES_MAX, CHUNK_EDGES_MAX) ? undefined : room;
}

interface Building {
  readonly index: GraphIndex;
  readonly room: number | undefined;
  readonly whenSubmitted: () => void;
}

/** When this resolves, the device is sending rows to the host, with their edges if they are few. */
export async function buildGraph(
  parts: RunParts,
  points: DevicePoints,
  {eps, eps2, minPts}: DbscanParams,
  {index, room, whenSubmitted}: Building,
): Promise<{readonly graph: NeighborGraph; readonly coming: Coming}> {
  const {builder, arrays, edges, run} = parts;
  enterPhase(parts, 'index');
  // Without an index a test of all pairs is the work.
  const isWholeFirst = !usesGrid(index, points.dim);
  const filter = room === undefined ? 'coreToCore' : 'core';
  let rows: ComingRows | undefined;
  let cores: ComingArrays | undefined;
  const graph = await builder.build(
    points,
    {eps, eps2, minPts},
    {
      index,
      filter: isWholeFirst ? 'all' : filter,
      edges: room === undefined ? undefined : await edges.takeIfFree('first', 4 * room),
      ...optionsOfRun(run, (work, part) => {
        const later = work === 'writeEdges' ? 1 : 0;
        if (work === 'build' && !isWholeFirst) return part;
        // Chunks are reported when threads have taken them.
        return later === 1 && run.clock.phase !== 'core' ? undefined : (later + part) / 2;
      }),
      // Degrees, then row lengths. One name on the device's clock, because both are one kind of work.
      beginGraphPass: (encoder) => {
        if (run.clock.phase === 'index') enterPhase(parts, 'core');
        return run.timer.beginPass(encoder, run.clock.phase ?? 'core');
      },
      beforeWait: (uncounted) => {
        if (uncounted.edges && room !== undefined) rows = arrays.askForRows(uncounted, uncounted.edges, room, run);
        else if (filter === 'coreToCore' && !isWholeFirst) cores = arrays.ask(uncounted, run);
        whenSubmitted();
      },
    },
  );
  if (isWholeFirst) await keepGraph(parts, graph);
  run.reportPart('core', 1);
  if (rows) {
    const plan = await builder.plan('core');
    if (plan.edgeCount <= rows.room) return {graph, coming: {rows, plan}};
    await rows.drop();
  }
  enterPhase(parts, 'clusters');
  const plan = await builder.plan('coreToCore');
  cores ??= arrays.ask({...graph, rowStart: plan.rowStart}, run);
  return {graph, coming: {arrays: cores, plan}};
}

/** Makes all edges at once, if they fit eight chunks and the device has memory for them. */
async function keepGraph(
  {run, builder, edges: memory, maxEdges = CHUNK_EDGES_MAX}: RunParts,
  {n, edgeCount}: NeighborGraph,
): Promise<void> {
  if (edgeCount > Math.min(CHUNKS_WANTED * maxEdges, edgesThatBind(run.gpu))) return;
  const edges = await memory.takeIfFree('whole', 4 * edgeCount);
  if (edges === undefined) return;
  await builder.plan('all');
  await run.makeRoom();
  await builder.writeEdges({firstRow: 0, rowCount: n, edgeCount}, edges);
  builder.keepEdges(edges);
}
