import {setTimeout} from 'node:timers/promises';
import type {Worker} from 'node:worker_threads';

/** The CPU time is read this often in the time of a stall. */
const PARTS = 10;

/**
 * Waits until a thread has used CPU time without progress. A thread that waits for a processor, a disk or its start
 * uses none, so a busy machine stalls no thread.
 *
 * @param progress  one word over shared memory, which the thread increments
 * @returns         false if the signal has fired
 */
export async function hasStalled(
  worker: Worker,
  progress: Int32Array,
  stallMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const cpuMs = cpuClockOf(worker);
  let last = -1;
  let since = 0;
  for (;;) {
    const now = Atomics.load(progress, 0);
    const ms = await cpuMs();
    if (signal.aborted) return false;
    if (now !== last) since = ms;
    else if (ms - since >= stallMs) return true;
    last = now;
    await setTimeout(stallMs / PARTS, undefined, {signal}).catch(() => undefined);
  }
}

/**
 * A clock of the CPU time of a thread in milliseconds, also while the thread is in a loop.
 *
 * Older Node (before 24.6, and some of 22) has none. There it is a bound: the CPU time of the process, and no more than
 * the time that has passed.
 */
function cpuClockOf(worker: Worker): () => Promise<number> {
  if (typeof worker.cpuUsage === 'function') {
    return async () => {
      // Rejects once the thread has ended.
      const {user, system} = await worker.cpuUsage().catch(() => ({user: 0, system: 0}));
      return (user + system) / 1000;
    };
  }
  let ms = 0;
  let [lastWall, lastUsage] = [performance.now(), process.cpuUsage()];
  return async () => {
    const [wall, {user, system}] = [performance.now(), process.cpuUsage(lastUsage)];
    ms += Math.min(wall - lastWall, (user + system) / 1000);
    [lastWall, lastUsage] = [wall, process.cpuUsage()];
    return ms;
  };
}
