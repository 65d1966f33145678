import {setImmediate as turn} from 'node:timers/promises';

/**
 * Collects the garbage of the previous run, if the process was started with `--expose-gc`, and waits for one turn of
 * the event loop. That turn releases command buffers and mapped memory of a GPU, which would otherwise happen during
 * the next run.
 */
export async function collectGarbage(): Promise<void> {
  globalThis.gc?.();
  await turn();
}
