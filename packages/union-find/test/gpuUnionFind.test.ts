import {asyncProperty, array, assert, integer, nat, tuple} from 'fast-check';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import {Kernel, ParamRing, ReadBack, Uploader} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {GpuUnionFind} from '@epsball/union-find/gpu';
import {blocksProbeWgsl} from './blocksProbe.wgsl.ts';
import {
  graphsOf,
  gridGraph,
  randomGraph,
  reversedPathGraph,
  smallestMembers,
  starGraph,
  type Graph,
} from '@epsball/conformance/graphs';

describeGpu('GpuUnionFind', () => {
  const rig = withGpu(async (gpu) => ({
    unionFind: await GpuUnionFind.create(gpu),
    uploader: new Uploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  /** Runs `record` in one pass, inside error scopes, with a buffer for n parents. Returns the parents. */
  async function parentsAfter(
    n: number,
    record: (pass: GPUComputePassEncoder, parent: GPUBuffer) => void,
  ): Promise<Uint32Array> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    // One word more than n, to check that it does not change.
    using parent = rig.gpu.createBuffer('test/parent', 4 * (n + 1), usage);
    await rig.gpu.guard('test', async () => {
      const encoder = rig.gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      record(pass, parent.buffer);
      pass.end();
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
    const words = new Uint32Array(n + 1);
    await rig.reader.read(parent.buffer, words);
    expect(words[n]).toBe(0);
    return words.subarray(0, n);
  }

  /** Returns the components of a graph. Passes its edges in `parts` lists. */
  async function componentsOf({n, edges}: Graph, parts = 1): Promise<Uint32Array> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    using held = rig.gpu.createBuffer('test/edges', Math.max(8, edges.byteLength), usage);
    if (edges.length > 0) await rig.uploader.upload(edges, held.buffer);
    // Bindings start at multiples of 256 bytes: 32 edges.
    const partEdges = 32 * Math.ceil(edges.length / 2 / parts / 32);
    // Awaited here: leaving the function destroys the edges.
    return await parentsAfter(n, (pass, parent) => {
      rig.unionFind.encodeMakeSets(pass, {parent, n});
      for (let first = 0; 2 * first < edges.length; first += partEdges) {
        const count = Math.min(partEdges, edges.length / 2 - first);
        rig.unionFind.encode(pass, {edges: {buffer: held.buffer, offset: 8 * first}, count, parent, n});
      }
      rig.unionFind.encodeFlatten(pass, {parent, n});
    });
  }

  it.for(graphsOf(3000))('makes the components of: $name', async (graph) => {
    expect([...(await componentsOf(graph))]).toEqual([...smallestMembers(graph)]);
  });

  it.for([1, 2, 255, 256, 257, 511, 513])('takes %i members', async (n) => {
    for (const graph of graphsOf(n)) {
      expect([...(await componentsOf(graph))], graph.name).toEqual([...smallestMembers(graph)]);
    }
  });

  it('gives the same bytes in every repeat, however the invocations race', async () => {
    for (const [graph, repeats] of [
      [starGraph(20_000), 10],
      // Walks cross what other workgroups flatten: a store instead of a minimum loses there, on SwiftShader once in
      // 400 repeats.
      [reversedPathGraph(20_000), 300],
      [gridGraph(140), 10],
      [randomGraph(20_000, 18_000, 5), 10],
    ] as const) {
      const expected = Uint32Array.from(smallestMembers(graph));
      for (let repeat = 0; repeat < repeats; repeat++) {
        expect(Buffer.from(await componentsOf(graph)).equals(Buffer.from(expected)), graph.name).toBe(true);
      }
    }
  });

  it('takes edges in several lists', async () => {
    const graph = randomGraph(5000, 4000, 9);
    expect([...(await componentsOf(graph, 7))]).toEqual([...smallestMembers(graph)]);
  });

  it('makes the components of any small graph', async () => {
    const graph = integer({min: 1, max: 300}).chain((n) =>
      tuple(integer({min: n, max: n}), array(tuple(nat(n - 1), nat(n - 1)), {maxLength: 400})),
    );
    const property = asyncProperty(graph, async ([n, pairs]) => {
      const any = {name: 'any', n, edges: Uint32Array.from(pairs.flat())};
      expect([...(await componentsOf(any))]).toEqual([...smallestMembers(any)]);
    });
    await assert(property, {numRuns: sizeOfShare(25), seed: SEED});
  });

  it('ignores edges with an end ≥ n', async () => {
    const edges = Uint32Array.of(0, 4, 3, 1, 4_294_967_295, 0, 2, 5);
    expect([...(await componentsOf({name: 'ends', n: 4, edges}))]).toEqual([0, 1, 2, 1]);
  });

  it('exports findRoot and unite to other kernels', async () => {
    const n = 4099;
    const blockSize = 100;
    using roots = rig.gpu.createBuffer('test/roots', 4 * n, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    using params = new ParamRing(rig.gpu, 'test/params');
    const probe = await Kernel.create(rig.gpu, blocksProbeWgsl, 'uniteBlocks');
    const parents = await parentsAfter(n, (pass, buffer) => {
      rig.unionFind.encodeMakeSets(pass, {parent: buffer, n});
      const slot = params.write(blocksProbeWgsl.structs.ProbeParams, {blockSize});
      const parent = {buffer, size: 4 * n};
      probe.dispatch(pass, probe.bind({parent, roots: roots.buffer, params: slot}), [Math.ceil(n / 64), 1, 1]);
      rig.unionFind.encodeFlatten(pass, {parent: buffer, n});
    });
    expect([...parents]).toEqual(Array.from(parents, (_, i) => i - (i % blockSize)));
    const early = new Uint32Array(n);
    await rig.reader.read(roots.buffer, early);
    expect(early.findIndex((root, i) => root > i || root < i - (i % blockSize))).toBe(-1);
  });

  it('accepts no members and no edges', async () => {
    expect(await componentsOf({name: 'empty', n: 0, edges: new Uint32Array(0)})).toEqual(new Uint32Array(0));
  });

  it('refuses small buffers, invalid counts, and more than the device binds', async () => {
    const {maxStorageBufferBindingSize} = rig.gpu.device.limits;
    await parentsAfter(7, (pass, parent) => {
      const both = {edges: parent, parent, n: 7};
      expect(() => rig.unionFind.encodeMakeSets(pass, {parent, n: 9})).toThrow(
        'bytes of parent = 32; expected at least 36',
      );
      expect(() => rig.unionFind.encode(pass, {...both, count: 5})).toThrow(
        'bytes of edges = 32; expected at least 40',
      );
      expect(() => rig.unionFind.encode(pass, {...both, count: -1})).toThrow('count = -1; expected an integer ≥ 0');
      expect(() => rig.unionFind.encodeFlatten(pass, {parent, n: 0.5})).toThrow(InvalidParameterError);
      const tooMany = maxStorageBufferBindingSize / 4 + 1;
      expect(() => rig.unionFind.encodeFlatten(pass, {parent, n: tooMany})).toThrow(GpuLimitError);
    });
  });
});
