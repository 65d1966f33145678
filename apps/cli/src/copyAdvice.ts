import {execFile} from 'node:child_process';
import {promisify} from 'node:util';

const TUNABLE = 'glibc.cpu.x86_non_temporal_threshold';
/** A good threshold: 1 MiB. */
const ADVISED = '0x100000';
/** Transfers of so many bytes or less need no advice. */
const SMALL_BYTES = 8 * 1024 * 1024;
/** The dynamic loader of glibc, which lists the values in effect. */
const LOADER = '/lib64/ld-linux-x86-64.so.2';

/**
 * How to make the host's copies of points and labels faster, or an empty text. glibc writes large copies past the cache
 * (non-temporal stores), but only above a threshold that it derives from the L3 cache. On servers it is 150 to 200 MB,
 * and a copy below it takes up to twice as long. Only the environment of the process can set the threshold.
 *
 * @param tunables  what `ld.so --list-tunables` prints; empty on other systems
 * @source  https://sourceware.org/glibc/manual/2.40/html_node/Hardware-Capability-Tunables.html
 */
export function copyAdvice(tunables: string): string {
  const value = new RegExp(`^${TUNABLE.replaceAll('.', '\\.')}: (0x[0-9a-f]+)`, 'm').exec(tunables)?.[1];
  if (value === undefined || Number(value) <= SMALL_BYTES) return '';
  return (
    `glibc copies up to ${Math.round(Number(value) / 2 ** 20)} MiB through the cache. Points and labels may reach the ` +
    `GPU and the host faster with GLIBC_TUNABLES=${TUNABLE}=${ADVISED} in the environment.\n`
  );
}

/** The tunables of glibc in effect; empty where there is no glibc for x64. */
export async function listTunables(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return '';
  try {
    return (await promisify(execFile)(LOADER, ['--list-tunables'])).stdout;
  } catch {
    // Another C library, or glibc before 2.33.
    return '';
  }
}
