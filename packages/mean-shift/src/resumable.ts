import {RunPacer} from '@epsball/clustering';
import type {MeanShiftPhase} from './algorithm.ts';

/** Work that yields its progress. The caller resumes it at once, or after a check of clock and signal. */
export type Resumable<T> = Generator<number, T, void>;

/** Items between two pauses: some milliseconds. */
export const ITEMS_PER_PAUSE = 4096;

export function finish<T>(work: Resumable<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Lets the event loop run during the pauses. */
export async function finishPaced<T>(work: Resumable<T>, signal: AbortSignal | undefined): Promise<T> {
  const pacer = new RunPacer<MeanShiftPhase>(1, {signal});
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pacer.pause('labels', 0);
  }
}
