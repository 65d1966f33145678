import {expect, it} from 'vitest';
import {Kernel, packStruct} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {radixCountWgsl} from '../src/radixCount.wgsl.ts';
import {expectWords} from './reference.ts';
import {withSession, words} from './session.ts';

/** Digits that the kernel is compiled for, and rows for one workgroup each. */
const DIGITS = 256;
const ROWS = 3;
/** Up to 4096, the maximum for one workgroup; the sort itself needs millions of keys for that. */
const CHUNKS = [1, 25, 255, 256, 257, 3001, 4095, 4096];

describeGpu('the scan of a sort’s counts', () => {
  const session = withSession();

  it.for(['scanDigits', 'scanFewDigits'] as const)(
    '%s sums each digit over earlier chunks, and over all',
    async (entry) => {
      const kernel = await Kernel.create(session.gpu, radixCountWgsl, entry);
      const {RadixParams} = radixCountWgsl.structs;
      const isFew = entry === 'scanFewDigits';
      // One invocation per digit, for all 256; one workgroup per digit, for few.
      const rows = isFew ? DIGITS : ROWS;
      for (const chunks of isFew ? CHUNKS.slice(0, 5) : CHUNKS) {
        // The padding between the counts of two digits is not compared.
        const pitch = 4 * Math.ceil(chunks / 4);
        const host = words(rows * pitch, chunks, 13);
        const [chunkCounts, chunkStarts] = [await session.buffer(host), await session.buffer(DIGITS * chunks)];
        const digitTotals = await session.buffer(new Uint32Array(DIGITS));
        const layout = {tiles: 0, tileLength: 0, chunkTiles: 0, chunks, pitch};
        const none = {atMost: 0, countWord: 0, word: 0, shift: 0, digitMask: 255};
        const params = await session.buffer(new Uint32Array(packStruct(RadixParams, {...none, ...layout})), 'uniform');
        const group = kernel.bind({chunkCounts, countQuads: chunkCounts, chunkStarts, digitTotals, params});
        await session.run((pass) => kernel.dispatch(pass, group, [isFew ? 1 : rows, 1, 1]));
        const starts = await session.read(chunkStarts, new Uint32Array(DIGITS * chunks));
        const totals = new Uint32Array(rows);
        for (let digit = 0; digit < rows; digit++) {
          const found = Uint32Array.from({length: chunks}, (_, chunk) => starts[chunk * DIGITS + digit]);
          const counts = host.subarray(digit * pitch, digit * pitch + chunks);
          expectWords(
            found,
            counts.map((count) => (totals[digit] += count) - count),
            `${chunks} chunks`,
          );
        }
        expect(await session.read(digitTotals, new Uint32Array(rows)), `${chunks} chunks`).toEqual(totals);
        session.clear();
      }
    },
  );
});
