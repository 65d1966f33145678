import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';

const POLL_MS = 500;

/**
 * Waits until no other bench runs in a folder: times of two at once would say little, and both would write one journal.
 * A lock whose process is gone does not count.
 *
 * @param log  called once if there is something to wait for
 * @returns    releases the lock
 * @throws the signal's reason  if `signal` fires
 */
export async function lockBench(
  resultsDir: string,
  log: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const file = join(resultsDir, 'bench.lock');
  for (let waits = 0; !tryLock(file); waits++) {
    if (waits === 0) log('another bench runs here; this one waits');
    await setTimeout(POLL_MS, undefined, {signal});
  }
  return () => rmSync(file, {force: true});
}

function tryLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), {flag: 'wx'});
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
  }
  if (isAlive(readPid(file))) return false;
  rmSync(file, {force: true});
  return tryLock(file);
}

function readPid(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // The other bench has just ended.
    return 0;
  }
}

function isAlive(pid: number): boolean {
  // An empty file: its process is between creating and writing it.
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
