import {readFileSync, writeFileSync} from 'node:fs';

/**
 * Starts to watch the peak of the resident set.
 *
 * Linux can reset the peak, so memory that the process held before does not hide the memory of a run. Other systems
 * cannot, and the result is null instead of a figure that may be too small.
 *
 * @returns  a function that gives the bytes by which the resident set has risen at its highest since
 */
export function watchPeak(): () => number | null {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
    const before = residentPeakBytes();
    return () => residentPeakBytes() - before;
  } catch {
    return () => null;
  }
}

function residentPeakBytes(): number {
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
  if (match === null) throw new Error('no VmHWM line in /proc/self/status');
  return Number(match[1]) * 1024;
}
