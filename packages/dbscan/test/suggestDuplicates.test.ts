import {seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {dbscan} from '@epsball/dbscan';
import {describe, expect, it} from 'vitest';
import {suggestEps} from '../src/suggest/index.ts';

/** Places, each several times. */
function piles(times: number, ...places: number[][]): number[][] {
  return Array.from({length: times}, () => places).flat();
}

describe('suggestEps of points that coincide', () => {
  it('finds three piles of equal points', async () => {
    const {plateau, hasStructure, zeroDistances, distances} = await suggestEps(piles(50, [0, 0], [4, 4], [9, 9]));
    expect([zeroDistances, distances.length]).toEqual([150, 150]);
    expect(hasStructure).toBe(true);
    expect(plateau?.clusters).toBe(3);
    expect(plateau?.noise).toBe(0);
    // Every eps below √32 gives three clusters.
    expect(plateau?.eps).toBeLessThan(Math.sqrt(32));
  });

  it('takes piles beside a single point', async () => {
    const points = [...piles(5, [0, 0], [4, 4]), [9, 9]];
    const {plateau, knee, cut, zeroDistances} = await suggestEps(points, {minPts: 5});
    expect([plateau?.clusters, plateau?.noise, zeroDistances]).toEqual([2, 1, 10]);
    expect([knee, cut]).toEqual([undefined, undefined]);
  });

  it('finds groups of places that are rounded to three decimals', async () => {
    const random = seededRandom(11);
    const near = (): number => Math.round(1000 * 0.01 * random()) / 1000;
    const points = Array.from({length: 900}, (_, k) => [(k % 3) + near(), near()]);
    const {plateau, hasStructure, zeroDistances, knee} = await suggestEps(points);
    expect(zeroDistances).toBeGreaterThan(0);
    expect([hasStructure, plateau?.clusters]).toEqual([true, 3]);
    expect(knee === undefined || knee.eps > 0).toBe(true);
  });

  it.for([{metric: 'haversine', angles: 'degrees', epsUnit: 'km'}, {metric: 'cosine'}] as const)(
    'finds piles with the metric $metric',
    async (metric) => {
      const {plateau, zeroDistances} = await suggestEps(piles(20, [0, 40], [40, 40], [40, 0]), metric);
      expect([plateau?.clusters, zeroDistances]).toEqual([3, 60]);
    },
  );

  it('has nothing to propose where all points are at one place, or differ by nothing that squares hold', async () => {
    for (const other of [3, 3 + 2 ** -51, 1e-170]) {
      const found = await suggestEps(piles(9, [other === 1e-170 ? 0 : 3], [other]), {minPts: 2});
      expect([found.zeroDistances, found.knee, found.cut]).toEqual([18, undefined, undefined]);
    }
  });

  it('takes random sets with duplicates, and tells what each proposal gives', async () => {
    for (let seed = 0; seed < sizeOfShare(500); seed++) {
      const {points, minPts} = randomSet(seed);
      const found = await suggestEps(points, {minPts});
      const name = `seed ${seed}`;
      expect(found.zeroDistances, name).toBe(countZeros(points, minPts));
      for (const proposal of [found.knee, found.cut, found.plateau]) {
        if (proposal === undefined) continue;
        const {labels, clusterCount} = await dbscan(points, {eps: proposal.eps, minPts});
        const noise = labels.filter((label) => label < 0).length;
        expect([proposal.clusters, proposal.noise], name).toEqual([clusterCount, noise]);
      }
      const eps = found.counts.map((count) => count.eps);
      expect(eps, name).toEqual([...new Set(eps)].sort((a, b) => a - b));
      expect(
        eps.every((value) => value > 0),
        name,
      ).toBe(true);
    }
  });

  it('finds structure in random piles on a lattice', async () => {
    for (let seed = 0; seed < sizeOfShare(100); seed++) {
      const random = seededRandom(seed);
      const count = 2 + Math.floor(random() * 8);
      const places = Array.from({length: count}, (_, k) => [10 * k + Math.floor(random() * 3), 7]);
      const times = 4 + Math.floor(random() * 5);
      const {hasStructure, plateau} = await suggestEps(piles(times, ...places), {minPts: 4});
      expect([hasStructure, plateau !== undefined && plateau.clusters >= 2], `seed ${seed}`).toEqual([true, true]);
    }
  });
});

/** Integers, rounded numbers or few places. */
function randomSet(seed: number): {points: number[][]; minPts: number} {
  const random = seededRandom(seed);
  const dim = 1 + Math.floor(random() * 3);
  const digits = 10 ** Math.floor(random() * 4);
  const spread = [1, 3, 10, 1e6][seed % 4];
  const few = Array.from({length: 2 + Math.floor(random() * 6)}, () => Array.from({length: dim}, random));
  const points = Array.from({length: 12 + Math.floor(random() * 50)}, () => {
    const place = seed % 3 === 0 ? few[Math.floor(random() * few.length)] : Array.from({length: dim}, random);
    return place.map((x) => Math.round(x * spread * digits) / digits);
  });
  return {points, minPts: 1 + Math.floor(random() * 6)};
}

/** Points with minPts points at their place. */
function countZeros(points: readonly number[][], minPts: number): number {
  const copies = new Map<string, number>();
  for (const point of points) copies.set(point.join(), (copies.get(point.join()) ?? 0) + 1);
  return points.filter((point) => (copies.get(point.join()) ?? 0) >= minPts).length;
}
