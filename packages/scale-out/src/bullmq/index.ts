export {redactUrl} from './connection.ts';
export type {RedisWait} from './openRedis.ts';
export {cancelRun, listRuns, submitRun, type RunSummary, type SubmitOptions} from './submitRun.ts';
export {startWorker, type ScaleOutWorker, type WorkerOptions} from './worker.ts';
