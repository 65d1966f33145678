import {pointCount, type PointSet} from '@epsball/clustering';
import {cases, highDimensionalCases, sweepNeighbors, uniform, type DbscanCase} from '@epsball/conformance';
import {gaussians} from '@epsball/datasets';
import {Kernel, ParamRing, ReadBack} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';
import {PointUploader} from '../src/gpu/index.ts';
import {directoryLimit2} from '../src/gpu/quantile/directoryLimit.ts';
import {GpuDirectoryBuilder, type GpuDirectory} from '../src/gpu/quantile/index.ts';
import {
  buildQuantileDirectory,
  CandidateQuery,
  projectPoints,
  type DirectoryShapeOptions,
  type QuantileDirectory,
} from '../src/quantile/index.ts';
import {principalAxes} from '../src/quantile/pca.ts';
import {directoryProbeWgsl} from './directoryProbe.wgsl.ts';

/** One in this many cases. Each needs a build and a walk for every point. */
const CASE_STEP = 29;

const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => encoder.beginComputePass();

/** A part of the conformance cases with points, of every dimension. */
const someCases: readonly DbscanCase[] = [...cases, ...highDimensionalCases].filter(
  (one, number) => number % CASE_STEP === 0 && pointCount(one.points()) > 0,
);

interface BuildOptions extends DirectoryShapeOptions {
  readonly isPrincipal?: boolean;
}

describeGpu('the directory on a device', () => {
  const rig = withGpu(async (gpu) => ({
    builder: await GpuDirectoryBuilder.create(gpu),
    uploader: new PointUploader(gpu, 'test'),
    reader: new ReadBack(gpu, 'test'),
  }));

  async function build(points: PointSet, eps: number, options: BuildOptions = {}): Promise<GpuDirectory> {
    const {isPrincipal = false, ...shape} = options;
    const levels = Math.min(shape.levels ?? 3, points.dim);
    const projection = isPrincipal ? projectPoints(points, principalAxes(points, levels), levels) : undefined;
    return rig.gpu.guard('test', async () =>
      rig.builder.build(await rig.uploader.upload(points), eps, beginPass, {...shape, projection}),
    );
  }

  async function words(buffer: GPUBuffer, length: number): Promise<Uint32Array> {
    const into = new Uint32Array(length);
    await rig.reader.read(buffer, into);
    return into;
  }

  /** Candidates of every position, a row of bits each. */
  async function candidateBits({n, bindings}: GpuDirectory): Promise<Uint32Array> {
    const length = n * Math.ceil(n / 32);
    using marked = rig.gpu.createBuffer('test/marked', 4 * length, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    using ring = new ParamRing(rig.gpu, 'test/probe');
    const kernel = await Kernel.create(rig.gpu, directoryProbeWgsl, 'markCandidates');
    await rig.gpu.guard('test', async () => {
      const encoder = rig.gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      const params = ring.write(directoryProbeWgsl.structs.ProbeParams, {n});
      kernel.dispatch(pass, kernel.bind({...bindings, params, marked: marked.buffer}), [Math.ceil(n / 64), 1, 1]);
      pass.end();
      rig.gpu.device.queue.submit([encoder.finish()]);
    });
    return words(marked.buffer, length);
  }

  /** Neighbours that are not among the candidates. */
  async function missedNeighbors(points: PointSet, eps: number, directory: GpuDirectory): Promise<string[]> {
    const {n} = directory;
    const bits = await candidateBits(directory);
    const positions = new Uint32Array(n);
    for (const [position, i] of (await words(directory.pointOrder, n)).entries()) positions[i] = position;
    const row = Math.ceil(n / 32);
    const neighbors = sweepNeighbors(points, eps);
    const missed: string[] = [];
    for (let i = 0; i < n; i++) {
      for (const j of neighbors(i)) {
        const word = positions[i] * row + (positions[j] >> 5);
        if (((bits[word] >> (positions[j] & 31)) & 1) === 0) missed.push(`${i}: ${j}`);
      }
    }
    return missed;
  }

  it('misses no neighbour of the conformance cases, with principal axes and without', async () => {
    for (const [number, {name, points: makePoints, params}] of someCases.entries()) {
      const points = makePoints();
      // Few leaves, because the probe tests each of them for each point.
      const directory = await build(points, params.eps, {fanout: 4, isPrincipal: number % 3 === 2});
      expect(await missedNeighbors(points, params.eps, directory), name).toEqual([]);
    }
  });

  it.for([
    {levels: 1, fanout: 2},
    {levels: 2, fanout: 5},
    {levels: 4, fanout: 3},
    {levels: 2, fanout: 40},
  ])('misses no neighbour with $levels levels and fan-out $fanout', async (shape) => {
    for (const precision of ['float32', 'float64'] as const) {
      const points = uniform(precision, 5, 150, 7);
      const directory = await build(points, 0.4, shape);
      expect(await missedNeighbors(points, 0.4, directory)).toEqual([]);
    }
  });

  it('sorts float32 points into the order of the CPU, with the same intervals', async () => {
    for (const [number, {name, points: makePoints, params}] of someCases.entries()) {
      const points = makePoints();
      if (number % 2 !== 0 || points.coords instanceof Float64Array) continue;
      const built = await build(points, params.eps);
      const expected = buildQuantileDirectory(points);
      expect([...(await words(built.pointOrder, built.n))], name).toEqual([...expected.pointOrder]);
      const nodes = await words(built.bindings.nodes, 2 * built.nodes + built.leaves + 1);
      expect([...nodes.subarray(2 * built.nodes)]).toEqual([...expected.leafStart]);
      const bits = await words(built.sortedCoords, points.coords.length);
      const sorted = expected.sortedCoords;
      expect(bits, name).toEqual(new Uint32Array(sorted.buffer, sorted.byteOffset, sorted.length));
    }
  });

  it('sorts many points, and equal keys, into the order of the CPU, with the same intervals', async () => {
    const sizes = [
      {n: 1, dim: 1},
      {n: 300, dim: 2, fanout: 2},
      {n: 2048, dim: 1, fanout: 64},
      {n: 2049, dim: 2, fanout: 3},
      {n: 17_000, dim: 3, fanout: 5},
      {n: 140_000, dim: 2, fanout: 16},
    ];
    for (const {n, dim, fanout} of sizes) {
      // With steps of 1 / 64 most keys occur many times, −0 among them.
      const coords = gaussians({n, dim, seed: 5}).coords.map((x) => Math.round(64 * (x - 0.5)) / 64);
      const points = {coords: Float32Array.from(coords), dim};
      const built = await build(points, 0.05, {fanout});
      const expected = buildQuantileDirectory(points, {fanout});
      const what = `${n} points`;
      const order = await words(built.pointOrder, n);
      expect(firstDifference(order, expected.pointOrder), what).toBe(-1);
      const bounds = new Float32Array((await words(built.bindings.nodes, 2 * built.nodes)).buffer);
      if (n > built.leaves) expect(firstDifference(bounds, expected.nodeBounds), what).toBe(-1);
    }
  });

  it('has the intervals of the CPU', async () => {
    // Empty partitions have other intervals on a device, so there are none here.
    const points = gaussians({n: 5000, dim: 3, seed: 5});
    const built = await build(points, 0.05);
    const bounds = new Float32Array((await words(built.bindings.nodes, 2 * built.nodes)).buffer);
    expect([...bounds]).toEqual([...buildQuantileDirectory(points).nodeBounds]);
  });

  it('sorts the words of float64 points as well', async () => {
    const points = uniform('float64', 2, 500, 3);
    const built = await build(points, 0.1);
    const pointOrder = await words(built.pointOrder, 500);
    const wide = new Float64Array((await words(requireBuffer(built.sortedWideCoords), 2000)).buffer);
    expect([...wide]).toEqual([...pointOrder].flatMap((i) => [points.coords[2 * i], points.coords[2 * i + 1]]));
  });

  it('returns hardly more candidates than the CPU', async () => {
    const points = gaussians({n: 300, dim: 8, seed: 6});
    const bits = await candidateBits(await build(points, 0.05));
    const onDevice = bits.reduce((sum, word) => sum + bitCount(word), 0);
    const onCpu = candidateTotal(buildQuantileDirectory(points), 0.05);
    expect(onDevice).toBeGreaterThanOrEqual(onCpu);
    expect(onDevice).toBeLessThan(1.01 * onCpu);
  });

  it('skips no node if float32 cannot represent the squares', () => {
    const errors = {stretch: 1, displacement: 0};
    for (const eps of [1e-30, 1e30]) expect(directoryLimit2(eps, 3, errors)).toBe(2 ** 127);
    expect(directoryLimit2(1, 3, {stretch: 1, displacement: 2 ** 60})).toBe(2 ** 127);
    expect(directoryLimit2(1, 3, errors)).toBeLessThan(1.00001);
  });

  it('rejects a projection whose columns are not one a level', async () => {
    const points = uniform('float32', 4, 50, 1);
    const projection = projectPoints(points, principalAxes(points, 2), 2);
    const uploaded = await rig.uploader.upload(points);
    await expect(rig.builder.build(uploaded, 0.1, beginPass, {projection})).rejects.toThrow('expected 3 columns');
  });
});

function requireBuffer(buffer: GPUBuffer | undefined): GPUBuffer {
  if (buffer === undefined) throw new Error('no such buffer');
  return buffer;
}

/** The first index at which two arrays differ; −1 if they are equal. */
function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return k;
  return -1;
}

function bitCount(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Number of candidates of all points. */
function candidateTotal(directory: QuantileDirectory, eps: number): number {
  const query = new CandidateQuery(directory, eps);
  const ranges = new Int32Array(query.rangesLength);
  let total = 0;
  for (let k = 0; k < directory.n; k++) {
    const count = query.candidates(k, ranges);
    for (let r = 0; r < count; r++) total += ranges[2 * r + 1] - ranges[2 * r];
  }
  return total;
}
