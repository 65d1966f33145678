export {chunksFor, evenBounds, taperedBounds} from './evenBounds.ts';
export {bytesFor, SharedArena} from './sharedArena.ts';
export {taskModule, type TaskModule} from './taskModule.ts';
export {WorkerPool, type Wave, type WaveOutcome, type WorkerPoolOptions} from './workerPool.ts';
export type {Task} from './task.ts';
