import type {DbscanPhase, DbscanRunOptions, PhaseClock} from '@epsball/clustering';
import type {DeviceTimer, Gpu, Reader} from '@epsball/gpu';
import type {EdgeMemory, NeighborGraphBuilder} from '@epsball/neighbor-graph';
import type {WorkerPool} from '@epsball/workers';
import type {EdgeStream} from './edgeStream.ts';
import type {GraphArrays} from './graphArrays.ts';
import type {PreparedRun, RunMemory} from './runMemory.ts';

/** What a run works with; all of it borrowed. */
export interface RunParts {
  readonly gpu: Gpu;
  readonly builder: NeighborGraphBuilder;
  readonly reader: Reader;
  readonly timer: DeviceTimer<DbscanPhase>;
  readonly stream: EdgeStream;
  readonly arrays: GraphArrays;
  readonly wholeGraph: EdgeMemory;
  readonly firstEdges: EdgeMemory;
  readonly pool: WorkerPool;
  readonly memory: RunMemory;
  readonly prepared: PreparedRun;
  /** Said to `Gpu.guard`. */
  readonly noMoreCommands: () => void;
  readonly clock: PhaseClock<DbscanPhase>;
  readonly options: DbscanRunOptions;
  /** Most edges of a chunk, where the caller has said so. */
  readonly maxEdges: number | undefined;
}

/** So many chunks keep device, bus and threads busy at the same time but for the first and the last one. */
export const CHUNKS_WANTED = 8;

/** A chunk costs the calling thread some 0.3 ms beside its edges: as much as 4 MiB on the bus. 16 MiB take some milliseconds. */
export const CHUNK_EDGES_MIN: number = 2 ** 20;
export const CHUNK_EDGES_MAX: number = 2 ** 22;

/** Edges that threads keep in shared memory until the clusters have their numbers: 128 MiB, however large the caller's chunks are. */
const KEPT_EDGES_MAX = CHUNKS_WANTED * CHUNK_EDGES_MAX;

/** Whether edges stay in shared memory until the clusters have their numbers; else those of the border points are made anew then. */
export function areKept(edgeCount: number, chunkCount: number): boolean {
  return chunkCount <= CHUNKS_WANTED && edgeCount <= KEPT_EDGES_MAX;
}

/** Edges that one buffer of the device can hold. */
export function edgesThatBind({device: {limits}}: Gpu): number {
  return Math.floor(Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) / 4);
}

/** Enters a phase on the run's clock, where it began so many milliseconds ago, and tells the caller. */
export function enterPhase({clock, options, prepared}: RunParts, phase: DbscanPhase, agoMs = 0): void {
  clock.enter(phase, agoMs);
  options.onProgress?.({phase, done: 0, total: prepared.pointOrder.length});
}
