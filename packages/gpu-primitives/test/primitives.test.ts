import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {
  Compact,
  RadixSort,
  Reduce,
  RunBounds,
  Scan,
  type Element,
  type SortBuffers,
  type Operator,
} from '@epsball/gpu-primitives';
import type {BufferSlice} from '@epsball/gpu';
import {LENGTHS, openSession, SORT_LENGTHS, words, type Session} from './session.ts';
import {describeGpu} from '@epsball/gpu/testing';

const ARRAYS = {u32: Uint32Array, i32: Int32Array, f32: Float32Array};

/** Words of a type; floats are small integers, so that their sums are exact. */
function values(element: Element, length: number): Uint32Array | Int32Array | Float32Array {
  const raw = words(length, length + 7);
  if (element === 'u32') return raw;
  if (element === 'i32') return new Int32Array(raw.buffer);
  return Float32Array.from(raw, (word) => (word % 17) - 8);
}

function identity(operator: Operator, element: Element): number {
  if (operator === 'sum') return 0;
  const least = {u32: 0, i32: -(2 ** 31), f32: Number.NEGATIVE_INFINITY}[element];
  const most = {u32: 2 ** 32 - 1, i32: 2 ** 31 - 1, f32: Number.POSITIVE_INFINITY}[element];
  return operator === 'min' ? most : least;
}

function combine(operator: Operator, element: Element, a: number, b: number): number {
  if (operator === 'min') return Math.min(a, b);
  if (operator === 'max') return Math.max(a, b);
  if (element === 'f32') return a + b;
  return element === 'u32' ? (a + b) >>> 0 : (a + b) | 0;
}

const OPERATORS: Operator[] = ['sum', 'min', 'max'];
const ELEMENTS: Element[] = ['u32', 'i32', 'f32'];

describeGpu('on a device', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  describe.for(OPERATORS)('Reduce %s', (operator) => {
    it.for(ELEMENTS)('combines %s words at every length with one object', async (element) => {
      using reduce = await Reduce.create(session.gpu, {operator, element});
      for (const length of LENGTHS) {
        const host = values(element, length);
        const [input, output] = [await session.buffer(host), await session.buffer(1)];
        await session.run((pass) => reduce.encode(pass, {input, output, count: length}));
        const expected = Array.from(host).reduce(
          (a, b) => combine(operator, element, a, b),
          identity(operator, element),
        );
        expect((await session.read(output, new ARRAYS[element](1)))[0], `length ${length}`).toBe(expected);
      }
    });
  });

  describe.for([false, true])('Scan, inclusive %s', (isInclusive) => {
    it.for(OPERATORS)('runs %s over u32 words at every length', async (operator) => {
      using scan = await Scan.create(session.gpu, {isInclusive, operator});
      for (const length of LENGTHS) {
        const host = words(length, length + 3);
        const [input, output] = [await session.buffer(host), await session.buffer(length)];
        await session.run((pass) => scan.encode(pass, {input, output, count: length}));
        const expected = new Uint32Array(length);
        let running = identity(operator, 'u32');
        for (let i = 0; i < length; i++) {
          const before = running;
          running = combine(operator, 'u32', running, host[i]);
          expected[i] = isInclusive ? running : before;
        }
        expect(await session.read(output, new Uint32Array(length)), `length ${length}`).toEqual(expected);
      }
    });
  });

  describe('RadixSort', () => {
    const cases = [
      {what: 'all 32 bits', keyBits: 32, beginBit: 0, endBit: 32},
      {what: 'a few distinct keys, stably', keyBits: 3, beginBit: 0, endBit: 32},
      {what: 'an odd range of bits', keyBits: 32, beginBit: 5, endBit: 18},
      {what: 'an empty range of bits', keyBits: 32, beginBit: 7, endBit: 7},
    ];
    it.for(cases)('sorts by $what', async ({keyBits, beginBit, endBit}) => {
      using sort = await RadixSort.create(session.gpu);
      for (const length of SORT_LENGTHS) {
        const host = words(length, length + 11, keyBits);
        const digit = (key: number): number => Math.floor((key % 2 ** endBit) / 2 ** beginBit);
        const order = Uint32Array.from(host.keys()).sort((a, b) => digit(host[a]) - digit(host[b]) || a - b);
        const input = {keys: await session.buffer(host), values: await session.buffer(Uint32Array.from(host.keys()))};
        const other = {keys: await session.buffer(length), values: await session.buffer(length)};
        let sorted: SortBuffers = input;
        await session.run((pass) => {
          sorted = sort.encode(pass, {input, other, count: length, beginBit, endBit});
        });
        expect(await session.read(sorted.values, new Uint32Array(length)), `length ${length}`).toEqual(order);
        const keys = await session.read(sorted.keys, new Uint32Array(length));
        expect(keys).toEqual(order.map((i) => host[i]));
      }
    });
  });

  describe('Compact', () => {
    it('keeps the flagged words in order and counts them', async () => {
      using compact = await Compact.create(session.gpu);
      for (const length of LENGTHS) {
        const host = words(length, length + 5);
        const kept = words(length, length + 6, 1);
        const [input, flags] = [await session.buffer(host), await session.buffer(kept)];
        const [output, count] = [await session.buffer(length), await session.buffer(Uint32Array.of(0))];
        await session.run((pass) => compact.encode(pass, {values: input, flags, output, count, count: length}));
        const expected = host.filter((_, i) => kept[i] === 1);
        expect((await session.read(count, new Uint32Array(1)))[0]).toBe(expected.length);
        expect(await session.read(output, new Uint32Array(expected.length)), `length ${length}`).toEqual(expected);
      }
    });
  });

  describe('RunBounds', () => {
    it('finds first and last of every run, and leaves absent keys alone', async () => {
      using runs = await RunBounds.create(session.gpu);
      for (const length of LENGTHS) {
        const host = words(length, length + 9, 12).sort();
        const [keys, starts, ends] = [
          await session.buffer(host),
          await session.buffer(new Uint32Array(4096)),
          await session.buffer(new Uint32Array(4096)),
        ];
        await session.run((pass) => runs.encode(pass, {keys, starts, ends, count: length}));
        const expected = {starts: new Uint32Array(4096), ends: new Uint32Array(4096)};
        for (let i = length - 1; i >= 0; i--) expected.starts[host[i]] = i;
        for (let i = 0; i < length; i++) expected.ends[host[i]] = i + 1;
        expect(await session.read(starts, new Uint32Array(4096)), `length ${length}`).toEqual(expected.starts);
        expect(await session.read(ends, new Uint32Array(4096))).toEqual(expected.ends);
      }
    });

    it('folds a dispatch of more than 65535 workgroups', async () => {
      const length = 65_535 * 256 + 1;
      using runs = await RunBounds.create(session.gpu);
      const keys = await session.buffer(Uint32Array.from({length}, (_, i) => i >>> 12));
      const last = (length - 1) >>> 12;
      const [starts, ends] = [await session.buffer(last + 1), await session.buffer(last + 1)];
      await session.run((pass) => runs.encode(pass, {keys, starts, ends, count: length}));
      const expected = Uint32Array.from({length: last + 1}, (_, key) => key << 12);
      expect(await session.read(starts, new Uint32Array(last + 1))).toEqual(expected);
      expect((await session.read(ends, new Uint32Array(last + 1)))[last]).toBe(length);
    });
  });

  describe('primitives together', () => {
    it('run one after the other in one pass, one object twice', async () => {
      const length = 5000;
      using scan = await Scan.create(session.gpu);
      // Growing between two encodes of a pass would destroy what the first one recorded.
      scan.reserve(2 * length);
      using reduce = await Reduce.create(session.gpu, 'max', 'u32');
      using compact = await Compact.create(session.gpu);
      const [a, b] = [words(length, 1, 1), words(2 * length, 2, 3)];
      const inputs = [await session.buffer(a), await session.buffer(b)];
      const outputs = [await session.buffer(length), await session.buffer(2 * length)];
      const [most, kept, count] = [await session.buffer(1), await session.buffer(length), await session.buffer(1)];
      await session.run((pass) => {
        scan.encode(pass, {input: inputs[0], output: outputs[0], length});
        scan.encode(pass, {input: inputs[1], output: outputs[1], length: 2 * length});
        // Both read what the pass has just written.
        reduce.encode(pass, {input: outputs[0], output: most, length});
        compact.encode(pass, {values: outputs[0], flags: inputs[0], output: kept, count, length});
      });
      const ones = a.reduce((sum, bit) => sum + bit, 0);
      expect((await session.read(most, new Uint32Array(1)))[0]).toBe(ones - a[length - 1]);
      expect((await session.read(count, new Uint32Array(1)))[0]).toBe(ones);
      expect(await session.read(kept, new Uint32Array(ones))).toEqual(Uint32Array.from({length: ones}, (_, k) => k));
      const sums = await session.read(outputs[1], new Uint32Array(2 * length));
      expect(sums[2 * length - 1]).toBe(b.subarray(0, -1).reduce((sum, word) => sum + word, 0));
    });

    it('work on parts of buffers, and leave the rest alone', async () => {
      const length = 3000;
      const offset = 256;
      const place = (part: Uint32Array): Uint32Array => {
        const whole = new Uint32Array(part.length + 128).fill(0xdead);
        whole.set(part, offset / 4);
        return whole;
      };
      using scan = await Scan.create(session.gpu, {isInclusive: true});
      using reduce = await Reduce.create(session.gpu, 'sum', 'u32');
      const host = words(length, 3, 8);
      const slice = (buffer: GPUBuffer, count: number): BufferSlice => ({buffer, offset, size: 4 * count});
      const input = await session.buffer(place(host));
      const [output, total] = [await session.buffer(place(host)), await session.buffer(place(Uint32Array.of(0)))];
      await session.run((pass) => {
        scan.encode(pass, {input: slice(input, length), output: slice(output, length), length});
        reduce.encode(pass, {input: slice(input, length), output: slice(total, 1), length});
      });
      const running = new Uint32Array(length);
      host.forEach((word, i) => (running[i] = word + (i === 0 ? 0 : running[i - 1])));
      expect(await session.read(output, new Uint32Array(length + 128))).toEqual(place(running));
      expect(await session.read(total, new Uint32Array(129))).toEqual(place(running.subarray(-1)));
    });

    it('allocate nothing while they encode, once room is reserved', async () => {
      const length = 300_000;
      using sort = await RadixSort.create(session.gpu);
      using compact = await Compact.create(session.gpu);
      const buffers = await Promise.all(Array.from({length: 7}, () => session.buffer(length)));
      sort.reserve(length);
      compact.reserve(length);
      const before = session.gpu.allocatedBytes;
      await session.run((pass) => {
        const [input, other] = [
          {keys: buffers[0], values: buffers[1]},
          {keys: buffers[2], values: buffers[3]},
        ];
        sort.encode(pass, {input, other, length, endBit: 4});
        compact.encode(pass, {values: buffers[4], flags: buffers[5], output: buffers[6], count: buffers[0], length});
      });
      expect(session.gpu.allocatedBytes).toBe(before);
    });
  });
});
