import {expect, it} from 'vitest';
import {ReadBack, Scratch, Uploader, type HostArray} from '@epsball/gpu';
import {describeGpu, withGpu} from './testGpu.ts';

const CHUNK = 4 * 2 ** 20;
/** Chunk of an upload. */
const UPLOAD_CHUNK = 24 * 2 ** 20;
/** Sizes around the boundaries of a chunk, of the ring of four, and of its second turn. */
const SIZES = [4, 8, CHUNK - 4, CHUNK, CHUNK + 4, 2 * CHUNK, 4 * CHUNK - 4, 4 * CHUNK, 4 * CHUNK + 4, 9 * CHUNK + 4];

describeGpu('transfers', () => {
  const rig = withGpu(async (gpu) => ({
    scratch: new Scratch(gpu, 'test'),
    uploader: new Uploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  function pattern(bytes: number): Uint32Array<ArrayBuffer> {
    return Uint32Array.from({length: bytes / 4}, (_, k) => Math.imul(k + bytes, 2_654_435_761));
  }

  async function roundTrip<T extends HostArray>(source: HostArray, into: T): Promise<T> {
    const target = rig.scratch.take('target', Math.ceil(into.byteLength / 4) * 4);
    await rig.uploader.upload(source, target);
    await rig.reader.read(target, into);
    return into;
  }

  /** Used instead of `toEqual`, which takes seconds for millions of words. */
  function isSame(a: HostArray, b: HostArray): boolean {
    const [x, y] = [a, b].map((array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength));
    return x.equals(y);
  }

  it.for(SIZES)('%i bytes are the same after upload and read', async (bytes) => {
    const source = pattern(bytes);
    expect(isSame(await roundTrip(source, new Uint32Array(bytes / 4)), source)).toBe(true);
  });

  it('zero bytes can be uploaded and read', async () => {
    const target = rig.scratch.take('target', 16);
    await rig.uploader.upload(new Float32Array(0), target);
    await rig.reader.read(target, new Float32Array(0));
  });

  it.for([1, 2, 3, 5, CHUNK - 1, CHUNK + 1, CHUNK + 2])(
    '%i bytes can be read, a multiple of 4 or not',
    async (bytes) => {
      const source = pattern(Math.ceil(bytes / 4) * 4);
      const into = new Uint8Array(bytes + 8).fill(7);
      await roundTrip(source, into.subarray(4, 4 + bytes));
      expect(isSame(into.subarray(4, 4 + bytes), new Uint8Array(source.buffer, 0, bytes))).toBe(true);
      // The bytes around the target do not change.
      expect([...into.subarray(0, 4), ...into.subarray(4 + bytes)]).toEqual(Array(8).fill(7));
    },
  );

  it('small transfers after large ones transfer their own bytes', async () => {
    for (const bytes of [5 * CHUNK, 8, CHUNK + 4, 16]) {
      const source = pattern(bytes);
      expect(isSame(await roundTrip(source, new Uint32Array(bytes / 4)), source), String(bytes)).toBe(true);
    }
  });

  it('views with an offset upload only their own part', async () => {
    const whole = pattern(1024);
    for (const view of [
      new Uint32Array(whole.buffer, 4, 10),
      new Float64Array(whole.buffer, 8, 5),
      new Uint8Array(whole.buffer, 3, 20),
    ]) {
      expect(isSame(await roundTrip(view, new Uint8Array(view.byteLength)), view)).toBe(true);
    }
  });

  it('source and target can be shared memory, across chunks', async () => {
    const bytes = CHUNK + 64;
    const source = new Float32Array(new SharedArrayBuffer(bytes + 8), 8);
    source.forEach((_, k) => (source[k] = k / 3));
    const into = new Float32Array(new SharedArrayBuffer(bytes));
    expect(isSame(await roundTrip(source, into), source)).toBe(true);
  });

  it('a read can start at an offset', async () => {
    const source = pattern(CHUNK + 4096);
    const target = rig.scratch.take('target', source.byteLength);
    await rig.uploader.upload(source, target);
    const into = new Uint32Array(CHUNK / 4 + 1);
    await rig.reader.read(target, into, 256);
    expect(isSame(into, source.subarray(64, 64 + into.length))).toBe(true);
  });

  it('fill allows conversion, chunk by chunk', async () => {
    const length = UPLOAD_CHUNK / 4 + 100;
    const wide = Float64Array.from({length}, (_, k) => k + 0.25);
    const target = rig.scratch.take('target', 4 * length);
    const ranges: number[][] = [];
    await rig.uploader.fill(4 * length, target, (mapped, start, end) => {
      ranges.push([start, end]);
      new Float32Array(mapped, 0, (end - start) / 4).set(wide.subarray(start / 4, end / 4));
    });
    expect(ranges).toEqual([
      [0, UPLOAD_CHUNK],
      [UPLOAD_CHUNK, 4 * length],
    ]);
    const into = new Float32Array(length);
    await rig.reader.read(target, into);
    expect(isSame(into, Float32Array.from(wide))).toBe(true);
  });

  it('the uploader works after a fill that throws', async () => {
    const target = rig.scratch.take('target', 16);
    const failing = rig.uploader.fill(16, target, () => {
      throw new RangeError('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    const source = Uint32Array.of(1, 2, 3, 4);
    for (let turn = 0; turn < 5; turn++) {
      expect(isSame(await roundTrip(source, new Uint32Array(4)), source)).toBe(true);
    }
  });
});
