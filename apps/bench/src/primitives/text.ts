import {formatCount} from '@epsball/cli/command';

/** Digits of powers. */
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `2²⁴` for powers of two from 1024 on, else `1,000`. */
export function formatElements(count: number): string {
  const power = Math.log2(count);
  if (!Number.isInteger(power) || power < 10) return formatCount(count);
  return `2${String(power).replaceAll(/\d/g, (digit) => RAISED[Number(digit)])}`;
}

/** `4,120`, `87.3`, `0.512`: GB/s with three significant digits or all before the point. */
export function formatRate(gigabytesPerSecond: number): string {
  return gigabytesPerSecond >= 100
    ? formatCount(Math.round(gigabytesPerSecond))
    : String(Number(gigabytesPerSecond.toPrecision(3)));
}
