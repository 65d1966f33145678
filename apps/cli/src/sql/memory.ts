import {totalmem} from 'node:os';

/** Bytes that this process may use: of the machine, or of its group of processes. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
