import {expect, it} from 'vitest';
import {Kernel, ParamRing} from '@epsball/gpu';
import {InvalidParameterError} from '@epsball/clustering';
import {FrontierQueue, RadixSort} from '@epsball/gpu-primitives';
import {frontierProbeWgsl} from './frontierProbe.wgsl.ts';
import {withSession} from './session.ts';
import {describeGpu} from '@epsball/gpu/testing';

/** Words of `FrontierState`. */
interface State {
  readonly length: number;
  readonly capacity: number;
  readonly hasOverflowed: boolean;
  readonly nextLength: number;
}

interface Search {
  readonly capacity: number;
  readonly roots: number;
  readonly bound: number;
  readonly fanOut: number;
  readonly levels: number;
  readonly itemsPerGroup?: number;
}

describeGpu('FrontierQueue', () => {
  const session = withSession(async (gpu) => ({params: new ParamRing(gpu, 'test/params')}));

  /** Pushes the roots and visits level after level; the device sizes every dispatch. Returns visits by item. */
  async function search(queue: FrontierQueue, what: Search): Promise<{visits: Uint32Array; state: State}> {
    const {capacity, roots, bound, fanOut, levels, itemsPerGroup = 64} = what;
    const {gpu} = session;
    const push = await Kernel.create(gpu, frontierProbeWgsl, 'pushRoots');
    const visit = await Kernel.create(gpu, frontierProbeWgsl, 'visitItems', {ITEMS_PER_GROUP: itemsPerGroup});
    const items = Math.max(bound, roots, 4);
    const visits = await session.buffer(new Uint32Array(items));
    queue.reset(capacity);
    const slot = session.params.write(frontierProbeWgsl.structs.ProbeParams, {bound, fanOut, roots});
    const buffers = {...queue.bindings, params: slot, visits};
    await session.run((pass) => {
      push.dispatchOver(pass, push.bind(buffers), 4 * roots);
      const group = visit.bind(buffers);
      for (let level = 0; level < levels; level++) {
        queue.encodeSwap(pass);
        visit.dispatchIndirect(pass, group, queue.frontierGroups);
      }
    });
    const words = await session.read(queue.bindings.frontier, new Uint32Array(5));
    const state = {length: words[0], capacity: words[2], hasOverflowed: words[3] === 1, nextLength: words[4]};
    return {visits: await session.read(visits, new Uint32Array(items)), state};
  }

  it('visits every node of a tree once, level by level, without the host', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    const bound = 20_000;
    const {visits, state} = await search(queue, {capacity: bound, roots: 1, bound, fanOut: 3, levels: 12});
    expect(visits.every((count) => count === 1)).toBe(true);
    expect(state).toEqual({length: 0, capacity: bound, hasOverflowed: false, nextLength: 0});
  });

  it('can be used again after a reset, with another capacity', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    for (const bound of [5000, 100, 9000, 1]) {
      const {visits} = await search(queue, {capacity: bound, roots: 1, bound, fanOut: 2, levels: 16});
      expect(
        visits.subarray(0, bound).every((count) => count === 1),
        String(bound),
      ).toBe(true);
    }
  });

  it('stops when nothing was pushed', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    const {visits, state} = await search(queue, {capacity: 8, roots: 0, bound: 0, fanOut: 1, levels: 3});
    expect([...visits]).toEqual([0, 0, 0, 0]);
    expect(state.hasOverflowed).toBe(false);
  });

  it('overflows above its capacity, not at it', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    for (const capacity of [1, 63, 64, 65, 1000]) {
      const {visits, state} = await search(queue, {capacity, roots: capacity, bound: 0, fanOut: 1, levels: 1});
      expect(state.hasOverflowed, String(capacity)).toBe(false);
      expect(visits.subarray(0, capacity).every((count) => count === 1)).toBe(true);
    }
  });

  it('flags items that do not fit, keeps the others, and writes nothing else', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    for (const capacity of [0, 1, 64, 100]) {
      const roots = capacity + 200;
      const {visits, state} = await search(queue, {capacity, roots, bound: 0, fanOut: 1, levels: 1});
      expect(state.hasOverflowed, String(capacity)).toBe(true);
      expect(state.length).toBe(capacity);
      expect(visits.reduce((sum, count) => sum + count, 0)).toBe(capacity);
      expect(Math.max(...visits)).toBeLessThanOrEqual(1);
    }
  });

  it('reports its length and dropped items; none before the first reset', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    expect(await queue.readState()).toEqual({length: 0, hasOverflowed: false});
    await search(queue, {capacity: 100, roots: 100, bound: 0, fanOut: 1, levels: 1});
    expect(await queue.readState()).toEqual({length: 100, hasOverflowed: false});
    await search(queue, {capacity: 100, roots: 101, bound: 0, fanOut: 1, levels: 1});
    expect(await queue.readState()).toEqual({length: 100, hasOverflowed: true});
  });

  it('opens its own pass for a swap on an encoder', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    await search(queue, {capacity: 9, roots: 9, bound: 0, fanOut: 1, levels: 1});
    await session.gpu.guard('test', async () => {
      const encoder = session.gpu.device.createCommandEncoder();
      queue.encodeSwap(encoder);
      session.gpu.device.queue.submit([encoder.finish()]);
    });
    // Nothing was pushed since the last swap.
    expect((await queue.readState()).length).toBe(0);
  });

  it('keeps its items when another call on the device is rejected', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    queue.reset(8);
    const before = queue.bindings;
    using sort = await RadixSort.create(session.gpu);
    await expect(sort.run(Uint32Array.of(2, 1), Uint32Array.of(1))).rejects.toThrow('one per key');
    await expect(
      session.gpu.guard('test', () => Promise.reject(new InvalidParameterError('a', 1, '2'))),
    ).rejects.toThrow();
    expect(queue.bindings).toEqual(before);
  });

  it('refuses invalid sizes, and a swap before the first reset', async () => {
    await expect(FrontierQueue.create(session.gpu, 0)).rejects.toThrow('itemsPerGroup = 0; expected an integer, 1 …');
    using queue = await FrontierQueue.create(session.gpu, 64);
    for (const capacity of [-1, 2.5]) expect(() => queue.reset(capacity)).toThrow(`capacity = ${capacity};`);
    expect(() => queue.encodeSwap(session.gpu.device.createCommandEncoder())).toThrow('call reset() before');
  });

  it('clears the flag on reset', async () => {
    using queue = await FrontierQueue.create(session.gpu, 64);
    await search(queue, {capacity: 1, roots: 9, bound: 0, fanOut: 1, levels: 1});
    const {state} = await search(queue, {capacity: 9, roots: 9, bound: 0, fanOut: 1, levels: 1});
    expect(state.hasOverflowed).toBe(false);
  });

  it('folds more than 65535 workgroups', async () => {
    const roots = 70_001;
    using queue = await FrontierQueue.create(session.gpu, 1);
    const {visits} = await search(queue, {
      capacity: roots,
      roots,
      bound: 0,
      fanOut: 1,
      levels: 1,
      itemsPerGroup: 1,
    });
    expect(visits.every((count) => count === 1)).toBe(true);
    const groups = await session.read(queue.frontierGroups, new Uint32Array(3));
    expect([...groups]).toEqual([35_001, 2, 1]);
  });
});
