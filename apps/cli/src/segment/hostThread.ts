/** The thread that `openOnHost` starts. Creates the backend in `workerData`, then segments one picture. */
import {parentPort, workerData} from 'node:worker_threads';
import {InvalidParameterError, type Progress} from '@epsball/clustering';
import {createMeanShift, type MeanShift} from '@epsball/mean-shift';
import type {Picture} from './imageFile.ts';
import {pointsOfPicture} from './pixels.ts';
import {segmentedPicture, type SegmentedPicture, type SegmentParams} from './segmented.ts';

/** The backend that the thread creates, in `workerData`. */
export interface HostBackend {
  readonly backend: 'sequential' | 'workers';
  readonly threads?: number | undefined;
}

/** Sent to the thread. */
export interface HostJob {
  readonly picture: Picture;
  readonly params: SegmentParams;
}

/** Sent by the thread: `ready` once, `progress` any number of times, then `done`; or `failed` at any point. */
export type HostReply =
  | {readonly kind: 'ready'}
  | {readonly kind: 'progress'; readonly progress: Progress}
  | {readonly kind: 'done'; readonly segmented: SegmentedPicture}
  | {readonly kind: 'failed'; readonly message: string; readonly parameter?: RejectedParameter | undefined};

/** The fields of an `InvalidParameterError`; a message loses the class of an error. */
interface RejectedParameter {
  readonly name: string;
  readonly value: unknown;
  readonly expectation: string;
}

function reply(message: HostReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not a window
  parentPort?.postMessage(message);
}

async function segment(meanShift: MeanShift, {picture, params}: HostJob): Promise<SegmentedPicture> {
  const onProgress = (progress: Progress): void => reply({kind: 'progress', progress});
  const result = await meanShift.label(pointsOfPicture(picture, params.scale), params.meanShift, {onProgress});
  onProgress({phase: 'paint', done: 0, total: 0});
  return segmentedPicture(picture, result, params);
}

async function replyOrFail(work: () => Promise<HostReply>): Promise<void> {
  try {
    reply(await work());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof InvalidParameterError)) return reply({kind: 'failed', message});
    const {parameter: name, value, expectation} = error;
    reply({kind: 'failed', message, parameter: {name, value, expectation}});
  }
}

let meanShift: MeanShift | undefined;
await replyOrFail(async () => {
  // The parent wrote `workerData` from this type.
  const backend: HostBackend = workerData;
  meanShift = await createMeanShift(backend);
  return {kind: 'ready'};
});
parentPort?.once('message', (job: HostJob) => {
  void replyOrFail(async () => {
    if (meanShift === undefined) throw new Error('the backend was not created');
    return {kind: 'done', segmented: await segment(meanShift, job)};
  });
});
