import type {Evidence, Factor} from './evidence.ts';
import {formatCount, formatFactor} from '@epsball/cli/command';

/** What our results say of an entry of a document. */
export interface Judgement {
  /** Our figures, in a few words. */
  readonly ours: string;
  readonly holds: boolean;
}

/** Judges one entry; null if the results lack what the rule needs. */
export type Judge = (evidence: Evidence) => Judgement | null;

export function holdsIf(holds: boolean, ours: string): Judgement {
  return {ours, holds};
}

/** `46.2×`, `† 1,290×` */
export function factorText({factor, mark}: Pick<Factor, 'factor' | 'mark'>): string {
  return `${mark === '' ? '' : `${mark}\u00A0`}${formatFactor(factor)}`;
}

/** `8.11× to † 1,290×`, in the order of the factors; one text if there is one. */
export function rangeText(factors: readonly Factor[]): string {
  const sorted = [...factors].sort((a, b) => a.factor - b.factor);
  const ends = [sorted[0], sorted.at(-1)].filter((one) => one !== undefined);
  return [...new Set(ends.map(factorText))].join(' to ');
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '-': '⁻',
  '.': '·',
  ...Object.fromEntries(Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹', (digit, value) => [String(value), digit])),
};

/** `n^1.93` in superscript digits. */
export function powerText(exponent: number, base = 'n'): string {
  return base + exponent.toFixed(2).replaceAll(/[-.\d]/g, (sign) => SUPERSCRIPTS[sign] ?? sign);
}

/** `30k`, `1M` */
export function sizeText(n: number): string {
  if (n >= 1_000_000) return `${n / 1_000_000}M`;
  return n >= 1000 ? `${n / 1000}k` : formatCount(n);
}
