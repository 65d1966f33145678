import {blobs, moons, uniform} from '@epsball/datasets';
import {describe, expect, it} from 'vitest';
import {suggestEps} from '../src/suggest/index.ts';
import {cutOf, kneeOf} from '../src/suggest/kDistances.ts';
import {longestPlateau} from '../src/suggest/plateau.ts';

describe('suggestEps', () => {
  it('finds the plateau of two moons', async () => {
    const {plateau, knee, cut, hasStructure, minPts} = await suggestEps(moons({n: 1500, seed: 1}), {minPts: 5});
    expect(minPts).toBe(5);
    expect(hasStructure).toBe(true);
    expect(plateau?.clusters).toBe(2);
    expect(plateau?.octaves).toBeGreaterThan(1);
    expect(plateau?.eps).toBeGreaterThan(0.05);
    expect(plateau?.eps).toBeLessThan(0.3);
    expect(knee?.height).toBeGreaterThan(0.2);
    expect(cut?.eps).toBeGreaterThan(0);
  });

  it('reports index, distances, and each clustering that it tries', async () => {
    const reports: (readonly [phase: string, done: number])[] = [];
    const totals = new Map<string, number>();
    await suggestEps(moons({n: 3000, seed: 1}), {
      minPts: 5,
      queries: 500,
      onProgress: ({phase, done, total}) => {
        reports.push([phase, done]);
        totals.set(phase, total);
      },
    });
    expect([...totals]).toEqual([
      ['index', 3000],
      ['distances', 500],
      ['try', 55],
    ]);
    for (const [phase, total] of totals) {
      const done = reports.filter(([name]) => name === phase).map((report) => report[1]);
      expect(done).toEqual(done.toSorted((x, y) => x - y));
      if (phase !== 'try') expect(done.at(-1)).toBe(total);
    }
    const tries = reports.flatMap(([phase, done]) => (phase === 'try' ? [done] : []));
    const begun = [...new Set(tries.filter((done) => Number.isInteger(done)))];
    expect(begun).toEqual(begun.map((_, k) => k));
    expect(begun.length).toBeLessThanOrEqual(55);
    // Also within the first one.
    expect(tries.filter((done) => done > 0 && done < 1).length).toBeGreaterThan(1);
  });

  it('says that uniform points have no structure', async () => {
    const {hasStructure} = await suggestEps(uniform({n: 3000, dim: 2, seed: 1}));
    expect(hasStructure).toBe(false);
  });

  it('proposes kilometres on the globe', async () => {
    const town = (lat: number, lon: number): number[][] =>
      Array.from({length: 60}, (_, k) => [lat + (k % 8) / 100, lon + Math.floor(k / 8) / 100]);
    const {plateau} = await suggestEps([...town(52, 13), ...town(48, 2)], {
      metric: 'haversine',
      angles: 'degrees',
      epsUnit: 'km',
    });
    expect(plateau?.clusters).toBe(2);
    expect(plateau?.from).toBeLessThan(5);
    expect(plateau?.to).toBeGreaterThan(200);
  });

  it('warns where all is noise or one cluster, and takes equal points', async () => {
    const {cut, plateau, hasStructure} = await suggestEps({coords: new Float64Array(40), dim: 2});
    expect([cut, plateau, hasStructure]).toEqual([undefined, undefined, false]);
    const {knee} = await suggestEps(blobs({n: 200, seed: 2}), {minPts: 3});
    expect(knee?.warning ?? '').not.toContain('all points are noise');
  });

  it('takes the points that lack nothing', async () => {
    const {coords} = moons({n: 300, seed: 1, precision: 'float64'});
    const gaps = {coords: Float64Array.of(NaN, 1, ...coords, 1, NaN), dim: 2};
    const expected = await suggestEps({coords, dim: 2}, {minPts: 5});
    expect(await suggestEps(gaps, {minPts: 5, missing: 'noise'})).toEqual(expected);
    expect(await suggestEps(gaps, {minPts: 5, missing: 'drop'})).toEqual(expected);
    const rows = [[0, 0], null, [1, 1], [1, 2]] as number[][];
    expect((await suggestEps(rows, {metric: 'cosine', minPts: 2, missing: 'drop'})).distances.length).toBe(2);
    await expect(suggestEps(gaps)).rejects.toThrow('point 0');
    await expect(suggestEps(gaps, {missing: 'skip'} as never)).rejects.toThrow('missing = "skip"');
  });

  it('names what it does not take', async () => {
    await expect(suggestEps([[1]])).rejects.toThrow('points = 1; expected at least two points');
    await expect(suggestEps([[1], [2]], {minPts: 0})).rejects.toThrow('minPts = 0');
    await expect(suggestEps([[1], [2]], {metric: 'manhattan'})).rejects.toThrow('euclidean, haversine or cosine');
    await expect(suggestEps([[1], [2]], {minPts: 3})).rejects.toThrow('minPts = 3; expected at most 2');
    await expect(suggestEps([[1], [2]], {minPts: 2, queries: 0})).rejects.toThrow('queries = 0');
    await expect(suggestEps([[1], [2]], {min_samples: 3} as object)).rejects.toThrow('did you mean minPts?');
  });
});

describe('parts', () => {
  it('find a knee, a cut and a plateau', () => {
    expect(kneeOf(Float64Array.of(1, 1, 1, 1, 5, 9))).toMatchObject({at: 1});
    expect(kneeOf(Float64Array.of(2, 2, 2))).toBeUndefined();
    expect(cutOf(Float64Array.of(0, 1, 1.1, 100, 110))).toBeCloseTo(Math.sqrt(110), 10);
    const counts = [1, 3, 2, 2, 2, 1].map((clusters, k) => ({eps: 2 ** k, clusters}));
    expect(longestPlateau(counts)).toEqual({from: 4, to: 16, eps: 8, clusters: 2, octaves: 2});
  });
});
