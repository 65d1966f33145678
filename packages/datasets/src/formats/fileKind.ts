import type {Stats} from 'node:fs';

/** What a path leads to, in words. */
export function kindOf(status: Stats): string {
  if (status.isFile()) return 'a regular file';
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a named pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}
