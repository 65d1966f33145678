import {describe, expect, it} from 'vitest';
import {squaredDistance} from '@epsball/clustering';
import {gaussian, nextAfter, seededRandom} from '@epsball/conformance';
import {SHARE, sizeOfShare} from '@epsball/conformance/share';
import {validity, type ValidityOptions} from '@epsball/hdbscan';
import {WorkerPool} from '@epsball/workers';
import {findAllPointsCores, rootOf} from '../src/validity/allPointsCore.ts';
import {validityOracle, type ValidityFlaw} from './oracle/validity.ts';
import {findDifference, permuted, randomValidityCase} from './oracle/validityCases.ts';

const RANDOM_SETS = 2000;

const line = (...xs: number[]): {coords: Float64Array; dim: number} => ({coords: Float64Array.from(xs), dim: 1});

/** Cores a of points on a line: the number of others by Σ 1/d, the harmonic mean of their distances. */
describe('validity of sets computed by hand', () => {
  it('takes both nodes and the edge of pairs, which have no internal ones', async () => {
    // a = 1, 1 and 2, 2. Sparseness 1 and 2. Separation max(1, 2, 10 − 1) = 9.
    const {score, clusters} = await validity(line(0, 1, 10, 12), [0, 0, 1, 1]);
    expect([...clusters.size]).toEqual([2, 2]);
    expect([...clusters.sparseness]).toEqual([1, 2]);
    expect([...clusters.separation]).toEqual([9, 9]);
    expect([...clusters.validity]).toEqual([8 / 9, 7 / 9]);
    expect(score).toBe((16 / 9 + 14 / 9) / 4); // (2 · 8/9 + 2 · 7/9) / 4
  });

  it('weighs noise and clusters of one point, which separate none', async () => {
    // The pairs above, the noise 100, and 5 alone: it would separate by 4. (16/9 + 14/9) / 6.
    const {score, clusters} = await validity(line(0, 1, 10, 12, 5, 100), [0, 0, 9, 9, 4, -1]);
    expect([...clusters.label]).toEqual([0, 4, 9]);
    expect([...clusters.sparseness]).toEqual([1, Number.NaN, 2]);
    expect([...clusters.separation]).toEqual([9, Number.NaN, 9]);
    expect([...clusters.validity]).toEqual([8 / 9, 0, 7 / 9]);
    expect(score).toBe((16 / 9 + 14 / 9) / 6);
  });

  it('takes all edges of a star', async () => {
    // 0, 1, 3: a = 2/(1 + 1/3) = 3/2, 2/(1 + 1/2) = 4/3, 2/(1/3 + 1/2) = 12/5. Edges 0–1: 3/2, 1–3: 12/5, 0–3: 3.
    // The tree 0–1–3 has the internal node 1 and no internal edge: sparseness 12/5. Separation 10 − 1 = 9.
    const {score, clusters} = await validity(line(0, 1, 3, 10, 11), [0, 0, 0, 1, 1]);
    expect(clusters.sparseness[0]).toBeCloseTo(12 / 5, 14);
    expect([...clusters.separation]).toEqual([9, 9]);
    expect(score).toBeCloseTo((3 * (1 - 12 / 45) + 2 * (8 / 9)) / 5, 14);
  });

  it('takes internal edges only', async () => {
    // 0, 1, 2, 3: a = 3/(1 + 1/2 + 1/3) = 18/11 outside, 3/(1 + 1 + 1/2) = 6/5 inside. Edges 0–1, 2–3: 18/11,
    // 1–2: 6/5, 0–2, 1–3: 2. The internal edge is 1–2. Separation 7 − 2 = 5; 3 is a border.
    const {score, clusters} = await validity(line(0, 1, 2, 3, 7, 8), [0, 0, 0, 0, 1, 1]);
    expect(clusters.sparseness[0]).toBeCloseTo(6 / 5, 14);
    expect([...clusters.separation]).toEqual([5, 5]);
    expect(score).toBeCloseTo((4 * (3.8 / 5) + 2 * (4 / 5)) / 6, 14);
  });

  it('joins the nearest of points that are equally reachable', async () => {
    // 0, 1, 2, 3, 10: a = 4/(1 + 1/2 + 1/3 + 1/10) = 2.07, 4/(1 + 1 + 1/2 + 1/9) = 1.53, 4/(1/2 + 1 + 1 + 1/8) = 1.52,
    // 4/(1/3 + 1/2 + 1 + 1/7) = 168/83 = 2.02, and 4/(1/10 + 1/9 + 1/8 + 1/7) = 8.35 of the point 10. Its edges to 2
    // and to 3, 8 and 7 away, both weigh 8.35. It joins 3, so 3 is internal, and so is the edge 2–3 of 168/83.
    // Separation 13 − 3 = 10; joined to 2, the sparseness were 1.53 and the separation 11.
    const {clusters} = await validity(line(0, 1, 2, 3, 10, 13, 14), [0, 0, 0, 0, 0, 1, 1]);
    expect(clusters.sparseness[0]).toBeCloseTo(168 / 83, 14);
    expect([...clusters.separation]).toEqual([10, 10]);
  });

  it('ranks by coordinates where distances tie as well', async () => {
    // The unit square, dim 2: m² = 1, x = (1 + 1 + 1/2)/3 = 5/6, a² = 6/5. Four sides of w² = 6/5. By rank the tree is
    // (0,0)–(0,1), (0,0)–(1,0), (0,1)–(1,1), so (0,0) and (0,1) are internal: sparseness √(6/5), separation 4 − 0.
    const coords = Float64Array.of(1, 1, 0, 1, 1, 0, 0, 0, 4, 0, 5, 0);
    const {clusters} = await validity({coords, dim: 2}, [0, 0, 0, 0, 1, 1]);
    expect(clusters.sparseness[0]).toBeCloseTo(Math.sqrt(6 / 5), 14);
    expect([...clusters.separation]).toEqual([4, 4]);
  });

  it('gives coinciding points the core distance 0', async () => {
    // 0, 0, 1: a = 0, 0 and 2/(1 + 1) = 1. The tree is 0–0 and 0–1, a star: sparseness 1. Separation 5 − 0.
    const {score, clusters} = await validity(line(-0, 0, 1, 5, 6), [0, 0, 0, 1, 1]);
    expect([...clusters.sparseness]).toEqual([1, 1]);
    expect([...clusters.separation]).toEqual([5, 5]);
    expect(score).toBe(0.8);
    expect((await validity(line(0, 0, 5, 5), [0, 0, 1, 1])).score).toBe(1); // (5 − 0) / 5
    expect((await validity(line(0, 0, 0, 0), [0, 1, 0, 1])).score).toBe(0); // 0 and 0
  });

  it('counts a cluster without another one as 0', async () => {
    const {score, clusters} = await validity(line(0, 1, 2), [5, 5, 5]);
    expect([score, ...clusters.separation, ...clusters.validity]).toEqual([0, Number.NaN, 0]);
    expect(clusters.sparseness[0]).toBeCloseTo(4 / 3, 14); // 1 has a = 1, 0 and 2 have 2/(1 + 1/2)
    expect((await validity(line(0, 1, 7), [0, 0, 1])).score).toBe(0);
    expect((await validity(line(3, 4), [-1, -1])).score).toBe(0);
    expect((await validity(line(), [])).score).toBe(0);
  });

  it('takes limits where distances are infinite', async () => {
    // 0, 1: sparseness 1, separation ∞. ±1e300: both are infinite.
    const {score, clusters} = await validity(line(0, 1, 1e300, -1e300), [0, 0, 1, 1]);
    expect([...clusters.validity]).toEqual([1, 0]);
    expect(score).toBe(0.5);
    // The star of 0, with a = 0, is near to 1, and ±1e300 make its sparseness infinite.
    expect([...(await validity(line(0, 0, 1e300, 1, 1), [0, 0, 0, 1, 1])).clusters.validity]).toEqual([-1, 1]);
  });
});

describe('validity', () => {
  it('equals the oracle on random sets, in any order of the rows, on one thread and on many', async () => {
    const pools = [1, 2, 3].map((threads) => new WorkerPool({threads}));
    const wrong: string[] = [];
    for (let seed = 0; seed < sizeOfShare(RANDOM_SETS); seed++) {
      const one = randomValidityCase(seed);
      const moved = permuted(one, seed);
      const expected = validityOracle(one.points, one.labels);
      const runs: [string, Promise<string | null>][] = [{}, ...pools.map((pool) => ({pool}))].flatMap((options) =>
        [one, moved].map(({name, points, labels}): [string, Promise<string | null>] => [
          name,
          validity(points, labels, options).then((result) => findDifference(result, expected)),
        ]),
      );
      for (const [name, run] of runs) {
        const difference = await run;
        if (difference !== null) wrong.push(`${name}: ${difference}`);
      }
    }
    for (const pool of pools) pool.destroy();
    expect(wrong).toEqual([]);
  });

  it('equals the oracle on many points, in slices', async () => {
    const n = SHARE >= 1 ? 20_000 : 3000;
    const clusters = n / 1000;
    const random = seededRandom(5);
    const labels = Int32Array.from({length: n}, () => Math.floor(random() * (clusters + 1)) - 1);
    const coords = Float32Array.from({length: 3 * n}, (_, k) => gaussian(random) + 3 * labels[Math.floor(k / 3)]);
    const points = {coords, dim: 3};
    const expected = validityOracle(points, labels);
    for (const threads of [undefined, 2]) {
      const shares = new Map<string, number[]>();
      const onProgress: ValidityOptions['onProgress'] = ({phase, done, total}) =>
        shares.set(phase, [...(shares.get(phase) ?? []), done / total]);
      expect(findDifference(await validity(points, labels, {threads, onProgress}), expected)).toBe(null);
      expect([...shares.keys()]).toEqual(['core', 'tree', 'separation']);
      for (const of of shares.values()) {
        expect(of).toEqual(of.toSorted((a, b) => a - b));
        expect(of.at(-1)).toBe(1);
      }
      expect(shares.get('separation')?.length, 'the k-d tree, the search, and both ends').toBeGreaterThan(3);
    }
  });

  it('returns the bytes of one thread on many where a cluster takes several chunks', async () => {
    const random = seededRandom(6);
    const points = {coords: Float64Array.from({length: 16_000}, () => Math.round(gaussian(random) * 500)), dim: 2};
    const labels = Int32Array.from({length: 8000}, (_, i) => (i < 7000 ? 1 : 0));
    const expected = await validity(points, labels);
    expect(findDifference(await validity(points, labels, {threads: 3}), expected)).toBe(null);
  });

  it('has the same bytes for all orders of six rows', async () => {
    const orders = (rows: readonly number[]): number[][] =>
      rows.length === 0
        ? [[]]
        : rows.flatMap((row) => orders(rows.filter((other) => other !== row)).map((rest) => [row, ...rest]));
    const places = [0, 0, 0, 1, 1, 0, 1, 1, 3, 0, 3, 1];
    const label = [0, 0, 0, 0, 1, 1];
    const all = orders([0, 1, 2, 3, 4, 5]);
    expect(all.length).toBe(720);
    const expected = validityOracle({coords: Float64Array.from(places), dim: 2}, label);
    for (const order of all) {
      const coords = Float64Array.from(order.flatMap((row) => places.slice(2 * row, 2 * row + 2)));
      const result = await validity(
        {coords, dim: 2},
        order.map((row) => label[row]),
      );
      expect(findDifference(result, expected)).toBe(null);
    }
  });

  it('does not depend on the numbers of the clusters', async () => {
    for (let seed = 0; seed < sizeOfShare(400); seed++) {
      const {name, points, labels} = randomValidityCase(seed);
      const renumbered = labels.map((label) => (label < 0 ? label : 0x7fffffff - label));
      expect((await validity(points, renumbered)).score, name).toBe((await validity(points, labels)).score);
    }
  });

  it('takes powers in many dimensions that float64 does not hold', async () => {
    const random = seededRandom(7);
    const coords = Float64Array.from({length: 64 * 40}, () => 1e-9 * random());
    const {score, clusters} = await validity(
      {coords, dim: 64},
      Array.from({length: 40}, (_, i) => i % 2),
    );
    for (const one of clusters.sparseness) expect(one).toBeGreaterThan(1e-9);
    expect(Math.abs(score)).toBeLessThan(1);
  });

  it('has the core distances of the paper', () => {
    const random = seededRandom(9);
    for (let dim = 1; dim <= 12; dim++) {
      const [n, coords] = [30, Float64Array.from({length: 30 * dim}, () => random())];
      const core = new Float64Array(n);
      findAllPointsCores({dim, start: Int32Array.of(0, n), coords, core}, 0, n);
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) if (j !== i) sum += (1 / Math.sqrt(squaredDistance(coords, dim, i, j))) ** dim;
        expect(Math.sqrt(core[i]) / (sum / (n - 1)) ** (-1 / dim), `${dim}-D`).toBeCloseTo(1, 13);
      }
    }
  });

  it('has roots within six roundings', () => {
    const random = seededRandom(8);
    for (let k = 0; k < 20_000; k++) {
      const [order, x] = [2 + Math.floor(random() * 62), random() ** 8];
      if (x === 0) continue;
      const root = rootOf(x, order);
      // (1 + e)^order ≈ 1 + order · e, and a product of `order` factors is rounded as often.
      let power = 1;
      for (let j = 0; j < order; j++) power *= root;
      expect(Math.abs(power / x - 1)).toBeLessThan(order * 5 * 2 ** -53);
    }
    expect(rootOf(nextAfter(1, 0), 64)).toBe(1);
  });

  it('ends when the signal fires, and the next run works', async () => {
    const points = {coords: Float64Array.from({length: 12_000}, (_, k) => k % 977), dim: 2};
    const labels = Array.from({length: 6000}, (_, i) => i % 2);
    for (const threads of [undefined, 2]) {
      for (const phase of ['core', 'tree', 'separation']) {
        const controller = new AbortController();
        const run = validity(points, labels, {
          threads,
          signal: controller.signal,
          onProgress: (progress) => {
            if (progress.phase === phase) controller.abort();
          },
        });
        await expect(run, `${threads} ${phase}`).rejects.toMatchObject({code: 'RUN_ABORTED'});
      }
    }
    expect((await validity(points, labels)).clusters.label.length).toBe(2);
    await expect(validity(points, labels, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'RUN_ABORTED'});
  });

  it.for<[string, readonly unknown[], ValidityOptions | object]>([
    ['labels.length = 2; expected 3, one a point', [0, 1], {}],
    ['labels[1] = -2; expected −1 for noise, or a cluster from 0 to 2147483647', [0, -2, 1], {}],
    ['labels[2] = 0.5; expected', [0, 0, 0.5], {}],
    ['labels[0] = "0"; expected', ['0', 0, 0], {}],
    ['metric = "manhattan"; expected euclidean for validity', [0, 0, 0], {metric: 'manhattan'}],
    ['option = "thread"; expected', [0, 0, 0], {thread: 2}],
    ['threads = 0; expected', [0, 0, 0], {threads: 0}],
  ])('names wrong input: %s', async ([message, labels, options]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers without types
    await expect(validity(line(0, 1, 2), labels as number[], options)).rejects.toThrow(message);
  });
});

describe('the oracle of validity', () => {
  it.for<ValidityFlaw>([
    {keepsRows: true},
    {ignoresDistance: true},
    {leavesOutCopies: true},
    {hasNoBorder: true},
    {emptyIsDense: true},
    {singlesSeparate: true},
    {aloneIsApart: true},
    {forgetsNoise: true},
    {countsSelf: true},
    {keepsSquares: true},
  ])('rejects a mutant: %o', (flaw) => {
    let rejected = 0;
    for (let seed = 0; seed < 400 && rejected === 0; seed++) {
      const {points, labels} = randomValidityCase(seed);
      if (findDifference(validityOracle(points, labels, flaw), validityOracle(points, labels)) !== null) rejected++;
    }
    expect(rejected).toBe(1);
  });
});
