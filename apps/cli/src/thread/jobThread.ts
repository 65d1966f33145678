/** The thread that `onThread` starts: does one job. */
import {parentPort, workerData} from 'node:worker_threads';
import type {JobModule, JobReply, ThreadJob} from './onThread.ts';

function reply(message: JobReply, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

// The parent wrote `workerData` from this type.
const {module, job}: ThreadJob = workerData;
const {run}: JobModule = await import(module);
const result = await run(job, (progress) => reply({progress}));
const arrays = Object.values(result).filter((value) => ArrayBuffer.isView(value));
reply({result}, [...new Set(arrays.map(({buffer}) => buffer).filter((buffer) => buffer instanceof ArrayBuffer))]);
