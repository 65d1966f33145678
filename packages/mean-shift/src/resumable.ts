import {RunPacer} from '@epsball/clustering';
import type {MeanShiftPhase} from './algorithm.ts';

/** Work that stops again and again and says how far it has got; to be carried on at once, or with a look at the clock and the signal. */
export type Resumable<T> = Generator<number, T, void>;

/** Items between two stops: some milliseconds. */
export const ITEMS_PER_PAUSE = 4096;

/** Carries work on to its end. */
export function finish<T>(stages: Resumable<T>): T {
  for (;;) {
    const stage = stages.next();
    if (stage.done === true) return stage.value;
  }
}

/**
 * Carries work on to its end, and lets the event loop turn between its stages.
 *
 * @throws RunAbortedError  if the signal has fired
 */
export async function finishPaced<T>(stages: Resumable<T>, signal: AbortSignal | undefined): Promise<T> {
  const pacer = new RunPacer<MeanShiftPhase>(1, {signal});
  for (;;) {
    const stage = stages.next();
    if (stage.done === true) return stage.value;
    await pacer.pause('labels', 0);
  }
}
