import {UsageError} from '../errors.ts';

const UNITS: Readonly<Record<string, number>> = {B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12};
const BINARY_UNITS: Readonly<Record<string, number>> = {KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30, TIB: 2 ** 40};
/** 64 MB: the least that a task takes. Also accepted as the decimal number. */
const MEMORY_MIN = 64e6;
const MIB_64 = 2 ** 26;

/** A parser for commander: bytes, such as `4GB` or `512MiB`. */
export function memorySize(flag: string): (text: string) => number {
  return (text) => {
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]i?b|b)$/i.exec(text) ?? [];
    const factor = UNITS[unit.toUpperCase()] ?? BINARY_UNITS[unit.toUpperCase()];
    const bytes = Number(digits) * factor;
    if (!(bytes >= MEMORY_MIN)) throw new UsageError(flag, text, 'at least 64MB, such as 512MB or 4GB');
    return Math.max(bytes, MIB_64);
  };
}

/** A parser for commander: `redis://…` or `rediss://…`. The message has no password. */
export function redisUrl(flag: string): (text: string) => string {
  return (text) => {
    if (!URL.canParse(text) || !/^rediss?:\/\/[^/]/.test(text)) {
      throw new UsageError(flag, text.replace(/\/\/[^@/]*@/, '//'), 'redis://host:port or rediss://host:port');
    }
    return text;
  };
}
