import {expect, it} from 'vitest';
import {RunBounds} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {COUNTS, largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {withSession, words} from './session.ts';

const KEYS = 4096;

describeGpu('RunBounds', () => {
  const session = withSession(async (gpu) => ({runs: await RunBounds.create(gpu)}));

  it('finds first and last of every run, and does not write entries of absent keys', async () => {
    for (const count of COUNTS) {
      const host = words(count, count + 9, 12).sort();
      const untouched = new Uint32Array(KEYS).fill(77);
      const [keys, starts, ends] = [
        await session.buffer(host),
        await session.buffer(untouched),
        await session.buffer(untouched),
      ];
      await session.run((pass) => session.runs.encode(pass, {keys, starts, ends, count, keyCount: KEYS}));
      const expected = {starts: untouched.slice(), ends: untouched.slice()};
      for (let i = count - 1; i >= 0; i--) expected.starts[host[i]] = i;
      for (let i = 0; i < count; i++) expected.ends[host[i]] = i + 1;
      expectWords(await session.read(starts, new Uint32Array(KEYS)), expected.starts, `starts of ${count}`);
      expectWords(await session.read(ends, new Uint32Array(KEYS)), expected.ends, `ends of ${count}`);
      session.clear();
    }
  });

  it('takes millions of keys, more than 65535 workgroups', async () => {
    for (const count of largeCounts(session.gpu, 'runBounds')) {
      const last = (count - 1) >>> 12;
      const host = new Uint32Array(count);
      for (let i = 0; i < count; i++) host[i] = i >>> 12;
      const keys = await session.buffer(host);
      const [starts, ends] = [await session.buffer(last + 1), await session.buffer(last + 1)];
      await session.run((pass) => session.runs.encode(pass, {keys, starts, ends, count, keyCount: last + 1}));
      const expected = Uint32Array.from({length: last + 1}, (_, key) => key << 12);
      expectWords(await session.read(starts, new Uint32Array(last + 1)), expected, `starts of ${count}`);
      expect((await session.read(ends, new Uint32Array(last + 1)))[last]).toBe(count);
      session.clear();
    }
  });

  it('ignores keys beyond the tables', async () => {
    const keys = await session.buffer(Uint32Array.of(0, 2, 2, 9));
    const [starts, ends] = [await session.buffer(new Uint32Array(4)), await session.buffer(new Uint32Array(4))];
    await session.run((pass) => session.runs.encode(pass, {keys, starts, ends, count: 4, keyCount: 3}));
    expectWords(await session.read(starts, new Uint32Array(4)), Uint32Array.of(0, 0, 1, 0), 'starts');
    expectWords(await session.read(ends, new Uint32Array(4)), Uint32Array.of(1, 0, 3, 0), 'ends');
  });

  itKeepsTheContract(session, {
    inputNames: ['keys'],
    outputNames: ['starts', 'ends'],
    inputs: (count) => [Uint32Array.from({length: count}, (_, i) => i)],
    outputWords: (count) => [count, count],
    encode: (target, [keys], [starts, ends], count) =>
      session.runs.encode(target, {
        keys,
        starts,
        ends,
        count,
        keyCount: typeof count === 'number' ? count : count.atMost,
      }),
    expected: ([keys], count) => [keys.slice(0, count), keys.slice(0, count).map((key) => key + 1)],
  });
});
