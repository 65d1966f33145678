import {setImmediate as turn} from 'node:timers/promises';

/**
 * Collects the garbage of the run before, where the process was started with `--expose-gc`, and lets what it frees be freed: command buffers and mapped memory of a GPU
 * are let go in the turn of the event loop that follows, which would be one of the next run.
 */
export async function collectGarbage(): Promise<void> {
  globalThis.gc?.();
  await turn();
}
