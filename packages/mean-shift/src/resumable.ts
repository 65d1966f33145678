import {RunPacer} from '@epsball/clustering';
import type {MeanShiftPhase, ShiftOptions} from './algorithm.ts';

/**
 * Work that yields the share of its longest step that is done. The caller resumes it at once, or after a check of clock
 * and signal.
 */
export type Resumable<T> = Generator<number, T, void>;

/** Items between two pauses: some milliseconds. */
export const ITEMS_PER_PAUSE = 4096;

export function finish<T>(work: Resumable<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Lets the event loop run during the pauses. @param total  points or seeds, for progress */
export async function finishPaced<T>(work: Resumable<T>, total: number, options: ShiftOptions): Promise<T> {
  const pacer = new RunPacer<MeanShiftPhase>(total, options);
  for (;;) {
    const step = work.next();
    await pacer.pause('labels', step.done === true ? total : Math.floor(total * step.value));
    if (step.done === true) return step.value;
  }
}
