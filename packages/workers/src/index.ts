/// <reference lib="esnext.disposable" preserve="true" />
export {chunksFor, evenBounds, taperedBounds} from './evenBounds.ts';
export {bytesFor, checkSendable, SharedArena} from './sharedArena.ts';
export {taskModule, type Task, type TaskModule} from './task.ts';
export type {Step, SteppedWave, StepsOutcome, StepsUnderWay, Wave, WaveOutcome} from './wave.ts';
export {usePool, WorkerPool, type PoolOptions, type WorkerPoolOptions} from './workerPool.ts';
