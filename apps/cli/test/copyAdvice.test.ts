import {describe, expect, it} from 'vitest';
import {copyAdvice} from '../src/copyAdvice.ts';

const listing = (threshold: string): string =>
  `glibc.cpu.x86_rep_movsb_threshold: 0x840 (min: 0x100, max: 0xffffffffffffffff)\n` +
  `glibc.cpu.x86_non_temporal_threshold: ${threshold} (min: 0x4040, max: 0xfffffffffffffff)\n` +
  `glibc.malloc.perturb: 0 (min: 0, max: 255)\n`;

describe('copyAdvice', () => {
  it('names the threshold in effect and the setting, where glibc copies 200 MB through the cache', () => {
    const advice = copyAdvice(listing('0xc000000'));
    expect(advice).toContain('192 MiB');
    expect(advice).toContain('GLIBC_TUNABLES=glibc.cpu.x86_non_temporal_threshold=0x100000');
  });

  it('is empty with the setting, with a small cache, and without glibc', () => {
    for (const threshold of ['0x100000', '0x800000']) expect(copyAdvice(listing(threshold))).toBe('');
    expect(copyAdvice('')).toBe('');
  });
});
