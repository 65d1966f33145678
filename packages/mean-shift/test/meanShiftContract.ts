import type {PointSet} from '@epsball/clustering';
import {expect, it} from 'vitest';
import {gaussianCutBound} from '../src/gaussianCut.ts';
import type {MeanShiftAlgorithm, MeanShiftParams} from '../src/algorithm.ts';
import {cloud, clusteredPoints, labelsOf} from './clusteredPoints.ts';
import {centerError, pointSet, pointsOf, runsOfSklearn} from './sklearnAnswers.ts';

/** A backend of `MeanShiftAlgorithm` under test. Tolerances are in bandwidths. */
export interface Backend {
  /** Called in the tests, not before. */
  readonly get: () => MeanShiftAlgorithm;
  /** Of one step, of the ends of trajectories, and of cluster centres. */
  readonly tolerance: number;
  /** Dimensions to test. */
  readonly dims: readonly number[];
}

/** One step of every point by the definition, in float64. Points beyond `radius` have weight 0. */
function stepByDefinition(
  {coords, dim}: PointSet,
  bandwidth: number,
  radius = Infinity,
): {ends: Float64Array; weights: Float64Array} {
  const n = coords.length / dim;
  const ends = new Float64Array(coords.length);
  const weights = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let d2 = 0;
      for (let d = 0; d < dim; d++) d2 += (coords[i * dim + d] - coords[j * dim + d]) ** 2;
      if (d2 > radius * radius) continue;
      const w = Math.exp(-d2 / (2 * bandwidth * bandwidth));
      weights[i] += w;
      for (let d = 0; d < dim; d++) ends[i * dim + d] += w * coords[j * dim + d];
    }
    for (let d = 0; d < dim; d++) ends[i * dim + d] /= weights[i];
  }
  return {ends, weights};
}

/** Registers the tests. Call it in a `describe` of the backend. */
export function testMeanShift({get, tolerance, dims}: Backend): void {
  it.each(dims)(
    'finds the blobs of separated data in %i dimensions, with any kernel, cut and precision',
    async (dim) => {
      const runs: [typeof Float32Array | typeof Float64Array, Omit<MeanShiftParams, 'bandwidth'>][] = [
        [Float32Array, {kernel: 'gaussian', cut: 3}],
        [Float64Array, {kernel: 'gaussian'}],
        [Float32Array, {kernel: 'flat', assignment: 'mode'}],
        [Float64Array, {kernel: 'flat', clusterAll: false}],
      ];
      for (const [make, params] of runs) {
        const data = clusteredPoints(240, dim, 4, make);
        // Four spreads hold a whole blob, which the flat kernel needs in many dimensions.
        const bandwidth = params.kernel === 'flat' ? 1.2 + 0.5 * dim : 1.2;
        const {labels, clusterCenters, shifted} = await get().run(data.points, {bandwidth, ...params});
        expect([...labels]).toEqual([...labelsOf(data)]);
        expect(clusterCenters.length).toBe(4 * dim);
        // Every point is at the mode of its blob.
        let farthest = 0;
        for (let i = 0; i < labels.length; i++) {
          for (let d = 0; d < dim; d++) {
            farthest = Math.max(farthest, Math.abs(shifted[i * dim + d] - clusterCenters[labels[i] * dim + d]));
          }
        }
        expect(farthest / bandwidth).toBeLessThan(0.02);
      }
    },
  );

  it.each(dims.filter((dim) => dim > 1))('makes the steps of the definition in %i dimensions', async (dim) => {
    const bandwidth = 0.7;
    for (const make of [Float32Array, Float64Array]) {
      const points = cloud(300, dim, make, dim);
      for (const cut of [0, 2]) {
        const {shifted} = await get().run(points, {bandwidth, cut, maxIterations: 1, tolerance: 0});
        const {ends} = stepByDefinition(points, bandwidth, cut === 0 ? Infinity : cut * bandwidth);
        expect(largestDifference(shifted, ends) / bandwidth).toBeLessThan(tolerance);
      }
    }
  });

  it('keeps every step with a cut within the bound', async () => {
    const bandwidth = 0.5;
    const points = cloud(400, 2, Float32Array, 9);
    const whole = stepByDefinition(points, bandwidth);
    let most = 0;
    for (const cut of [1, 2, 3, 4]) {
      const {shifted} = await get().run(points, {bandwidth, cut, maxIterations: 1, tolerance: 0});
      const {weights} = stepByDefinition(points, bandwidth, cut * bandwidth);
      for (let i = 0; i < 400; i++) {
        const moved =
          Math.hypot(shifted[2 * i] - whole.ends[2 * i], shifted[2 * i + 1] - whole.ends[2 * i + 1]) / bandwidth;
        expect(moved).toBeLessThan(gaussianCutBound(cut, 400, weights[i]) + tolerance);
        most = Math.max(most, moved);
      }
    }
    // The cut has an effect.
    expect(most).toBeGreaterThan(0.01);
  });

  it.each(runsOfSklearn())(
    'has scikit-learn’s labels and centres for $name',
    async ({points, seeds, params, answer, rounding}) => {
      const result = await get().run(points, params, {seeds});
      expect(centerError(result, answer.centers)).toBeLessThanOrEqual(tolerance * params.bandwidth + rounding);
      expect([...result.labels]).toEqual(answer.labels);
      expect(result.iterations).toBe(answer.iterations);
    },
  );

  it.each([Float32Array, Float64Array])(
    'clusters points of equal coordinates only, at bandwidth 0: %o',
    async (Kind) => {
      // The mean of three numbers 0.1 is not 0.1; −0 is 0; and two positions are adjacent numbers.
      const next = Kind === Float32Array ? 2 ** -23 : 2 ** -52;
      const points = {coords: Kind.of(0.1, 7, -0, 7, 0.1, 7, 0, 7, 0.1, 7, 1, 7, 1 + next, 7), dim: 2};
      const params: MeanShiftParams = {kernel: 'flat', bandwidth: 0};
      for (const assignment of ['mode', 'nearest'] as const) {
        const {labels, clusterCenters, shifted, iterations, stats} = await get().run(points, {...params, assignment});
        // Of equal support: modes by their first point, nearest centres by falling coordinates.
        const last = assignment === 'mode' ? [1, 1 + next] : [1 + next, 1];
        expect([...labels]).toEqual([0, 1, 0, 1, 0, ...(assignment === 'mode' ? [2, 3] : [3, 2])]);
        expect([...clusterCenters].map((x) => x + 0)).toEqual([points.coords[0], 7, 0, 7, last[0], 7, last[1], 7]);
        expect([...shifted]).toEqual([...points.coords]);
        expect(iterations).toBe(300);
        expect(stats.counters).toMatchObject({arrived: 0, shifts: 7 * 301});
      }
      const arrived = await get().run(points, {...params, tolerance: 1e-3});
      expect(arrived.iterations).toBe(0);
      expect(arrived.stats.counters).toMatchObject({arrived: 7, shifts: 7});
    },
  );

  it('makes the same checks at bandwidth 0, and accepts empty points', async () => {
    const params: MeanShiftParams = {kernel: 'flat', bandwidth: 0};
    const lost = get().run(pointsOf('tie'), params, {seeds: pointSet([[1, 1.5]])});
    await expect(lost).rejects.toThrow('a seed with a point in reach');
    const bad = {coords: Float32Array.of(1, 2, 3, NaN), dim: 2};
    await expect(get().run(bad, params)).rejects.toThrow('point 1, axis 1 = NaN; expected a finite coordinate');
    const none = await get().run({coords: new Float32Array(0), dim: 2}, params, {seeds: pointSet([[1, 1.5]])});
    expect(none).toMatchObject({labels: new Int32Array(0), shifted: Float64Array.of(1, 1.5), iterations: 0});
    const {signal} = new AbortController();
    Object.defineProperty(signal, 'aborted', {value: true});
    await expect(get().run(pointsOf('tie'), params, {signal})).rejects.toThrow('run aborted');
  });

  it('works with far more cells than points, near the origin and far from it', async () => {
    const near = clusteredPoints(150, 3, 3, Float64Array);
    for (const [scale, offset] of [
      [1, 0],
      [1e6, 0],
      [1, 1e6],
    ]) {
      const coords = near.points.coords.map((x) => x * scale + offset);
      const bandwidth = 1.2;
      // Blobs a million apart, of the same width.
      if (scale > 1)
        for (let k = 0; k < coords.length; k++)
          coords[k] = near.points.coords[k] + 1e6 * near.blobOf[Math.floor(k / 3)];
      const {labels} = await get().run({coords, dim: 3}, {bandwidth, cut: 3});
      expect([...labels]).toEqual([...labelsOf(near)]);
    }
  });

  it('returns the same bytes in a second run, and does not modify the input', async () => {
    const points = cloud(200, 3, Float32Array, 4);
    const before = points.coords.slice();
    const params: MeanShiftParams = {bandwidth: 1, cut: 3};
    const first = await get().run(points, params);
    const second = await get().run(points, params);
    expect(second.shifted).toEqual(first.shifted);
    expect(second.labels).toEqual(first.labels);
    expect(points.coords).toEqual(before);
    expect(first.stats.counters.arrived).toBe(200);
  });

  it.each<[string, number[][], number[]]>([
    ['no point', [], []],
    ['one point', [[3, 4]], [0]],
    [
      'copies of a point',
      [
        [3, 4],
        [3, 4],
        [3, 4],
      ],
      [0, 0, 0],
    ],
    [
      'two points far apart',
      [
        [50, 0],
        [0, 0],
      ],
      [0, 1],
    ],
  ])('takes %s', async (_, rows, labels) => {
    const points = rows.length === 0 ? {coords: new Float64Array(0), dim: 2} : pointSet(rows);
    for (const params of [{kernel: 'flat'}, {cut: 3}, {}] as const) {
      const result = await get().run(points, {bandwidth: 1, ...params});
      expect([...result.labels]).toEqual(labels);
      expect(result.shifted.length).toBe(points.coords.length);
      expect(result.clusterCenters.length).toBe(2 * new Set(labels).size);
    }
  });

  it('leaves far points out if clusterAll is false, and refuses seeds without a point in reach', async () => {
    const points = pointsOf('blobs');
    const seeds = pointSet([[11, 11]]);
    const {labels} = await get().run(points, {kernel: 'flat', bandwidth: 0.5, clusterAll: false}, {seeds});
    expect(new Set(labels)).toEqual(new Set([0, -1]));
    const lost = get().run(
      points,
      {kernel: 'flat', bandwidth: 0.1},
      {
        seeds: pointSet([
          [-9, -9],
          [-10, -10],
        ]),
      },
    );
    await expect(lost).rejects.toThrow('a seed with a point in reach');
  });

  it.each<[MeanShiftParams, string]>([
    [{bandwidth: 0}, 'bandwidth = 0; expected a finite number > 0; 0 is for the flat kernel'],
    [{bandwidth: -1, kernel: 'flat'}, 'bandwidth = -1; expected a finite number ≥ 0'],
    [{bandwidth: NaN}, 'bandwidth = NaN; expected a finite number > 0'],
    [{bandwidth: 1, cut: 0.5}, 'cut = 0.5; expected 0 or a finite number ≥ 1'],
    [{bandwidth: 1, cut: 3, kernel: 'flat'}, 'cut = 3; expected no value with the flat kernel'],
    [{bandwidth: 1, maxIterations: 0}, 'maxIterations = 0; expected an integer ≥ 1'],
    [{bandwidth: 1, assignment: 'mode', binSeeding: true}, 'assignment = "mode"; expected \'nearest\''],
    [{bandwidth: 1, minBinFrequency: 2}, 'minBinFrequency = 2; expected no value without binSeeding'],
    [{bandwidth: 1, clusterAll: false}, "clusterAll = false; expected true with assignment 'mode'"],
  ])('refuses %o', async (params, message) => {
    await expect(get().run(pointsOf('tie'), params)).rejects.toThrow(message);
  });

  it.each([Float32Array, Float64Array])(
    'names the first coordinate that is not finite, and the next run works: %o',
    async (Kind) => {
      for (const bad of [NaN, Infinity, -Infinity]) {
        const points = cloud(300, 2, Kind);
        points.coords[83] = bad;
        points.coords[401] = bad;
        const refused = get().run(points, {bandwidth: 1});
        await expect(refused).rejects.toThrow(`point 41, axis 1 = ${bad}; expected a finite coordinate`);
      }
      expect((await get().run(pointsOf('tie'), {bandwidth: 2, kernel: 'flat'})).labels.length).toBe(6);
    },
  );

  it('ends if the signal fires during a run, and the next run works', async () => {
    // Enough trajectories and steps for several reports on every backend. The first report of a shift aborts the run.
    const points = cloud(7000, 2, Float32Array);
    const params: MeanShiftParams = {bandwidth: 0.05, cut: 1, tolerance: 0, maxIterations: 40};
    const controller = new AbortController();
    const {signal} = controller;
    const running = get().run(points, params, {
      signal,
      onProgress: ({phase}) => phase === 'shift' && controller.abort(),
    });
    await expect(running).rejects.toThrow('run aborted in shift');
    expect((await get().run(pointsOf('tie'), {bandwidth: 2, kernel: 'flat'})).labels.length).toBe(6);
  });
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] - b[k]));
  return most;
}
