/** The thread that `openOnHost` starts: segments one picture. */
import {parentPort, workerData} from 'node:worker_threads';
import type {Progress} from '@epsball/clustering';
import {createMeanShift} from '@epsball/mean-shift';
import type {Picture} from './imageFile.ts';
import {pointsOfPicture} from './pixels.ts';
import {segmentedPicture, type SegmentedPicture, type SegmentParams} from './segmented.ts';

/** In `workerData`. */
export interface HostJob {
  readonly backend: {readonly backend: 'sequential' | 'workers'; readonly threads?: number | undefined};
  readonly picture: Picture;
  readonly params: SegmentParams;
}

/** Sent by the thread: progress any number of times, then the result. An error ends the thread. */
export type HostReply = {readonly progress: Progress} | {readonly segmented: SegmentedPicture};

function reply(message: HostReply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not a window
  parentPort?.postMessage(message);
}

// The parent wrote `workerData` from this type.
const {backend, picture, params}: HostJob = workerData;
const meanShift = await createMeanShift(backend);
const result = await meanShift.label(pointsOfPicture(picture, params.scale), params.meanShift, {
  onProgress: (progress) => reply({progress}),
});
reply({progress: {phase: 'paint', done: 0, total: 0}});
reply({segmented: segmentedPicture(picture, result, params)});
