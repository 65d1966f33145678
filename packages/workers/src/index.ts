/// <reference lib="esnext.disposable" preserve="true" />
export {chunksFor, evenBounds, taperedBounds} from './evenBounds.ts';
export {bytesFor, checkSendable, SharedArena} from './sharedArena.ts';
export type {Step} from './step.ts';
export type {SteppedWave, StepsOutcome, StepsUnderWay} from './steps.ts';
export {taskModule, type TaskModule} from './taskModule.ts';
export type {Wave, WaveOutcome} from './wave.ts';
export {WorkerPool, type WorkerPoolOptions} from './workerPool.ts';
export type {Task} from './task.ts';
