import {EpsballError} from '@epsball/clustering';
import {DatasetFormatError} from '@epsball/datasets';
import {ScaleOutError} from '../run.ts';

/** Errors of the surroundings, which another attempt, or another worker, may not meet. */
const PASSING = new Set(['GPU_DEVICE_LOST', 'GPU_UNAVAILABLE', 'WORKER_FAILED', 'RUN_ABORTED', 'DESTROYED']);

/** Whether every further attempt fails likewise. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof EpsballError) return !PASSING.has(error.code);
  return error instanceof ScaleOutError || error instanceof DatasetFormatError;
}
