export {chunksFor, evenBounds, taperedBounds} from './evenBounds.ts';
export {bytesFor, SharedArena} from './sharedArena.ts';
export type {Stage} from './stage.ts';
export type {StagedWave, StagesOutcome, StagesUnderWay} from './stages.ts';
export {taskModule, type TaskModule} from './taskModule.ts';
export type {Wave, WaveOutcome} from './wave.ts';
export {WorkerPool, type WorkerPoolOptions} from './workerPool.ts';
export type {Task} from './task.ts';
