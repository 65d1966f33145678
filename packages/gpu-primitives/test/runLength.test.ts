import {expect, it} from 'vitest';
import {RunLength, Scan} from '@epsball/gpu-primitives';
import {describeGpu} from '@epsball/gpu/testing';
import {itKeepsTheContract} from './contract.ts';
import {largeCounts} from './counts.ts';
import {expectWords} from './reference.ts';
import {COUNTS, runsOf, SHAPE_NAMES, SHAPES, teamworkAt} from './runReference.ts';
import {teamworkOn, withSession, words} from './session.ts';

describeGpu('RunLength', () => {
  const session = withSession(async (gpu) => ({shared: await RunLength.create(gpu)}));

  it.for(SHAPE_NAMES)('finds keys, starts and lengths of keys %s', async (shape) => {
    for (const cooperation of teamworkOn(session.gpu)) {
      using runLength = await RunLength.create(session.gpu, {cooperation});
      for (const count of COUNTS) {
        const keys = SHAPES[shape](count);
        expect(await runLength.run(keys), `${cooperation}, count ${count}`).toEqual(runsOf(keys));
      }
    }
  });

  it('finds runs in workgroups on every adapter', async () => {
    using runLength = await RunLength.create(session.gpu, {cooperation: 'workgroups'});
    for (const count of [0, 1, 257, 5000]) {
      const keys = words(count, 3, 2);
      expect(await runLength.run(keys), `count ${count}`).toEqual(runsOf(keys));
    }
  });

  it('finds runs in millions of keys', async () => {
    for (const count of largeCounts(session.gpu, 'runLength')) {
      const keys = SHAPES['in long runs'](count);
      const expected = runsOf(keys);
      for (const cooperation of teamworkAt(session.gpu, count)) {
        using runLength = await RunLength.create(session.gpu, {cooperation});
        const found = await runLength.run(keys);
        for (const what of ['uniqueKeys', 'starts', 'lengths'] as const) {
          expectWords(found[what], expected[what], `${cooperation}, ${count} keys, ${what}`);
        }
      }
    }
  });

  it('compares both words of 64-bit keys', async () => {
    using runLength = await RunLength.create(session.gpu, {key: 'u64'});
    for (const count of COUNTS) {
      // Two bits in all, so that runs differ in one word, in the other, or in both.
      const keys = words(2 * count, count + 9, 1);
      const wide = new BigUint64Array(keys.buffer);
      const starts = Array.from(wide.keys()).filter((i) => i === 0 || wide[i] !== wide[i - 1]);
      const found = await runLength.run(wide);
      expect([...found.starts], `count ${count}`).toEqual(starts);
      expect([...found.uniqueKeys]).toEqual(starts.map((i) => wide[i]));
      expect([...found.lengths]).toEqual(starts.map((start, k) => (starts[k + 1] ?? count) - start));
    }
  });

  it('writes only the requested outputs', async () => {
    using runLength = await RunLength.create(session.gpu);
    const keys = words(5000, 4, 2);
    const expected = runsOf(keys);
    const [input, starts, runCount] = [await session.buffer(keys), await session.buffer(5000), await session.buffer(1)];
    await session.run((pass) => runLength.encode(pass, {keys: input, starts, runCount, count: keys.length}));
    const runs = expected.starts.length;
    expect((await session.read(runCount, new Uint32Array(1)))[0]).toBe(runs);
    expect(await session.read(starts, new Uint32Array(runs))).toEqual(expected.starts);
  });

  it('takes a count from the device, and its runCount is a device count', async () => {
    using runLength = await RunLength.create(session.gpu);
    using scan = await Scan.create(session.gpu);
    const atMost = 9000;
    const keys = words(atMost, 6, 1);
    const input = await session.buffer(keys);
    for (const count of [0, 1, 2817, 8999, 9000, 2 ** 31]) {
      const counts = await session.buffer(Uint32Array.of(0, 0, count));
      const [lengths, ends, runCount] = [
        await session.buffer(atMost),
        await session.buffer(new Uint32Array(atMost).fill(0xdead)),
        await session.buffer(1),
      ];
      await session.run((pass) => {
        runLength.encode(pass, {keys: input, lengths, runCount, count: {buffer: counts, offset: 8, atMost}});
        scan.encode(pass, {input: lengths, output: ends, count: {buffer: runCount, atMost}});
      });
      const expected = runsOf(keys.subarray(0, count));
      const runs = expected.starts.length;
      expect((await session.read(runCount, new Uint32Array(1)))[0], `count ${count}`).toBe(runs);
      // The exclusive sum of the lengths equals the starts; the words after them do not change.
      const whole = new Uint32Array(atMost).fill(0xdead);
      whole.set(expected.starts);
      expect(await session.read(ends, new Uint32Array(atMost))).toEqual(whole);
    }
  });

  itKeepsTheContract(session, {
    inputNames: ['keys'],
    outputNames: ['uniqueKeys', 'starts', 'lengths', 'runCount'],
    inputs: (count, seed) => [words(count, seed, 1)],
    outputWords: (count) => [count, count, count, 1],
    encode: (target, [keys], [uniqueKeys, starts, lengths, runCount], count) =>
      session.shared.encode(target, {keys, uniqueKeys, starts, lengths, runCount, count}),
    expected: ([keys], count) => {
      const {uniqueKeys, starts, lengths} = runsOf(keys.subarray(0, count));
      return [uniqueKeys, starts, lengths, Uint32Array.of(starts.length)];
    },
  });
});
