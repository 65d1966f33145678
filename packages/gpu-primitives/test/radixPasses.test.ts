import {describe, expect, it} from 'vitest';
import {describeGpu} from '@epsball/gpu/testing';
import type {RadixPasses} from '../src/radixShape.ts';
import {compilePasses, compileTeamPasses} from '../src/radixPasses.ts';
import {sortsCorrectly} from '../src/radixSelfCheck.ts';
import {layoutOf, scratchFor, subgroupSizesOf} from '../src/radixShape.ts';
import {withSession} from './session.ts';

const PAIRS = {KEY_ELEMENT: 0, KEY_WORDS: 1, firstValues: 1, values: 1};

/** Shapes for GPUs: more quads of keys per invocation than software adapters use by default. */
const SHAPES = [
  {width: 256, quads: 2, bits: 8, hasSubgroups: false},
  // With 6 bits each counter has a word of its own, as with 32 lanes and 8 bits.
  {width: 384, quads: 3, bits: 6, hasSubgroups: true},
] as const;

describe('division of a sort into tiles and chunks', () => {
  it('covers all tiles, with no more chunks than one workgroup scans', () => {
    for (const tiles of [1, 2, 4095, 4096, 4097, 8192, 8193, 58_255, 2 ** 20 + 1]) {
      const {chunks, chunkTiles, pitch} = layoutOf(tiles, 4608);
      expect(chunks).toBeLessThanOrEqual(4096);
      expect(chunks * chunkTiles).toBeGreaterThanOrEqual(tiles);
      expect((chunks - 1) * chunkTiles).toBeLessThan(tiles);
      expect(pitch).toBe(4 * Math.ceil(chunks / 4));
    }
  });

  it('has room for every smaller count', () => {
    for (const most of [4097, 8193, 70_000]) {
      const room = scratchFor(most, 256);
      for (const tiles of [1, 4095, 4096, 4097, 8192, most]) {
        const {chunks, pitch} = layoutOf(Math.min(tiles, most), 4608);
        expect(room.chunkCounts).toBeGreaterThanOrEqual(256 * pitch);
        expect(room.chunkStarts).toBeGreaterThanOrEqual(256 * chunks);
        expect(room.tileCounts).toBeGreaterThanOrEqual(256 * Math.min(tiles, most));
      }
    }
  });
});

describeGpu('the kernels of a sort', () => {
  const session = withSession();

  it('sort one pass correctly, for keys of one word and of two', async () => {
    for (const KEY_WORDS of [1, 2]) {
      expect(
        await sortsCorrectly(session.gpu, await compilePasses(session.gpu, {...PAIRS, KEY_WORDS}), KEY_WORDS),
      ).toBe(true);
    }
  });

  it.for(SHAPES)('sort tiles of $width invocations, $quads quads each; subgroups: $hasSubgroups', async (shape) => {
    const {gpu} = session;
    const {width, quads, bits, hasSubgroups} = shape;
    const sizes = hasSubgroups ? subgroupSizesOf(gpu) : null;
    const isOffered = width <= gpu.device.limits.maxComputeInvocationsPerWorkgroup && hasSubgroups === (sizes !== null);
    if (!isOffered || gpu.info.kind === 'bundled') {
      process.stderr.write(`tiles of ${width} invocations: skipped on ${gpu.info.kind}\n`);
      return;
    }
    const digitBits = Math.min(bits, 4 + Math.floor(Math.log2(sizes?.min ?? 32)));
    const passes = await compileTeamPasses(gpu, PAIRS, sizes, {width, quads, digitBits});
    expect(await sortsCorrectly(gpu, passes, 1)).toBe(true);
  });

  it('fail the self-check if they leave keys in place or omit them', async () => {
    const passes = await compilePasses(session.gpu, PAIRS, 'none');
    const idle: RadixPasses = {...passes, record: () => undefined};
    expect(await sortsCorrectly(session.gpu, idle, 1)).toBe(false);
    const short: RadixPasses = {...passes, layoutOf: (count) => layoutOf(2, Math.floor(count / 2))};
    expect(await sortsCorrectly(session.gpu, short, 1)).toBe(false);
  });
});
