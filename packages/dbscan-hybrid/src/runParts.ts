import type {DbscanPhase} from '@epsball/clustering';
import {createAll, ReadBack, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {NeighborGraphBuilder, type GraphIndex} from '@epsball/neighbor-graph';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import type {WorkerPool} from '@epsball/workers';
import {EdgeStream} from './edgeStream.ts';
import {GraphArrays} from './graphArrays.ts';
import {RunMemory, type PreparedRun} from './runMemory.ts';

/** What an algorithm keeps between runs. The caller destroys all of it, the pool only if it is its own. */
export interface HybridParts {
  readonly builder: NeighborGraphBuilder;
  readonly arrays: GraphArrays;
  readonly uploader: PointUploader;
  readonly reader: ReadBack;
  readonly stream: EdgeStream;
  readonly edges: Scratch;
  readonly memory: RunMemory;
  readonly pool: WorkerPool;
}

export async function createParts(
  gpu: Gpu,
  label: string,
  index: GraphIndex | undefined,
  pool: WorkerPool,
): Promise<HybridParts> {
  const [builder, arrays] = await createAll([NeighborGraphBuilder.create(gpu, index), GraphArrays.create(gpu)]);
  return {
    builder,
    arrays,
    uploader: new PointUploader(gpu, label),
    reader: new ReadBack(gpu, label),
    stream: new EdgeStream(gpu, label),
    edges: new Scratch(gpu, `${label}/edges`),
    memory: new RunMemory(),
    pool,
  };
}

export interface RunParts extends HybridParts {
  readonly run: GpuRun<DbscanPhase>;
  readonly prepared: PreparedRun;
  readonly maxEdges: number | undefined;
}

/** So many chunks keep device, bus and threads busy at the same time but for the first and the last one. */
export const CHUNKS_WANTED = 8;

/** A chunk costs the calling thread 0.3 ms beside its edges, as 4 MiB on the bus do; 16 MiB take some milliseconds. */
export const CHUNK_EDGES_MIN: number = 2 ** 20;
export const CHUNK_EDGES_MAX: number = 2 ** 22;

export function edgesThatBind({device: {limits}}: Gpu): number {
  return Math.floor(Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) / 4);
}

export function enterPhase({run}: RunParts, phase: DbscanPhase, agoMs = 0): void {
  run.enter(phase, agoMs);
  run.report(phase, 0);
}
