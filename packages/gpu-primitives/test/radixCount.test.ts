import {afterAll, beforeAll, expect, it} from 'vitest';
import {Kernel, packStruct} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {radixCountWgsl} from '../src/radixCount.wgsl.ts';
import {expectWords} from './reference.ts';
import {openSession, words, type Session} from './session.ts';

const DIGITS = 3;
/** Around what a workgroup scans at a time, 4096 tiles: of the sort's own, millions of keys. */
const TILES = [25, 255, 256, 257, 4095, 4096, 4097, 8192, 9001];

describeGpu('the scan of a sort’s counts', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  it.for(['scanDigits', 'scanFewDigits'] as const)('%s: each digit’s in earlier tiles, and in all', async (entry) => {
    const kernel = await Kernel.create(session.gpu, radixCountWgsl, entry);
    const {RadixParams} = radixCountWgsl.structs;
    for (const tiles of TILES) {
      // One invocation a digit, of all 256; a workgroup a digit, of few.
      const digits = entry === 'scanFewDigits' ? 256 : DIGITS;
      if (entry === 'scanFewDigits' && tiles > 257) continue;
      // Words between two digits' counts are of nobody's concern.
      const pitch = 4 * Math.ceil(tiles / 4);
      const host = words(digits * pitch, tiles, 13);
      const [tileCounts, digitTotals] = [await session.buffer(host), await session.buffer(new Uint32Array(256))];
      const none = {atMost: 0, countWord: 0, tileLength: 0, word: 0, shift: 0, digitMask: 255};
      const params = await session.buffer(new Uint32Array(packStruct(RadixParams, {...none, tiles, pitch})), 'uniform');
      const group = kernel.bind({tileCounts, countQuads: tileCounts, digitTotals, params});
      const groups = entry === 'scanFewDigits' ? 1 : digits;
      await session.run((pass) => kernel.dispatch(pass, group, [groups, 1, 1]));
      const totals = new Uint32Array(digits);
      const found = await session.read(tileCounts, new Uint32Array(host.length));
      for (let digit = 0; digit < digits; digit++) {
        const row = digit * pitch;
        const expected = host.subarray(row, row + tiles).map((count) => (totals[digit] += count) - count);
        expectWords(found.subarray(row, row + tiles), expected, `${tiles} tiles`);
      }
      expect(await session.read(digitTotals, new Uint32Array(digits)), `${tiles} tiles`).toEqual(totals);
      session.clear();
    }
  });
});
