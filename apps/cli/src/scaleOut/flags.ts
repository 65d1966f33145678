import {UsageError} from '../errors.ts';

const UNITS: Readonly<Record<string, number>> = {B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12};
const BINARY_UNITS: Readonly<Record<string, number>> = {KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40};
/** The least that a task takes. */
const MEMORY_MIN = 64e6;

/** A parser for commander: bytes, such as `4GB` or `512MiB`. */
export function memorySize(flag: string): (text: string) => number {
  return (text) => {
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]i?b|b)$/i.exec(text) ?? [];
    const factor = UNITS[unit.toUpperCase()] ?? BINARY_UNITS[unit.toUpperCase()];
    const bytes = Number(digits) * factor;
    if (!(bytes >= MEMORY_MIN)) throw new UsageError(flag, text, 'at least 64MB, such as 512MB or 4GB');
    return bytes;
  };
}

/** @throws UsageError  if the tasks that run at a time do not have the least memory each */
export function checkTaskMemory(memory: number | undefined, concurrency: number): void {
  const least = MEMORY_MIN * concurrency;
  if (memory === undefined || memory >= least) return;
  const expectation = `at least ${megabytes(least)}: 64MB for each of ${concurrency} tasks at a time (--concurrency)`;
  throw new UsageError('--memory', megabytes(memory), expectation);
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 1e6).toFixed(3))}MB`;
}

/** A parser for commander: `redis://…` or `rediss://…`. The message has no password. */
export function redisUrl(flag: string): (text: string) => string {
  return (text) => {
    if (!URL.canParse(text) || !/^rediss?:\/\/[^/?#]+(?:\/\d*)?(?:[?#][^@]*)?$/.test(text)) {
      // As `redactUrl` of the optional package: a password may contain `@`, and the last one ends it.
      const shown = text.replace(/^([a-z]*:\/\/)?.*@/is, '$1');
      throw new UsageError(flag, shown, 'redis://host:port or rediss://host:port, with a password percent-encoded');
    }
    return text;
  };
}

/** Writes a line of a worker, or about Redis, to stderr. */
export function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
