import {seededRandom} from '@epsball/conformance';
import {assignNoise, createHdbscanSequential, hdbscan, memberships} from '@epsball/hdbscan';
import {assignNoise as assignNoiseOfDbscan} from '@epsball/predict';
import {afterAll, describe, expect, it} from 'vitest';
import {casesFor, randomSetsFor} from './hdbscanSets.ts';
import {assignedOracle, membershipOracle, type NoiseFlaw} from './oracle/memberOracle.ts';
import {rowsOf} from './membershipRows.ts';

const cases = [...casesFor('assignNoise'), ...randomSetsFor('assignNoise', 2)].filter(
  ({points}) => points().coords.length < 800,
);
const algorithm = createHdbscanSequential();
afterAll(() => algorithm.destroy());

const line = [0, 1, 2, 10, 11, 12, 25, 6].map((x) => [x]);
const params = {minClusterSize: 3, minSamples: 2};

describe('assignNoise', () => {
  it('gives noise the cluster of its largest membership, and keeps all other labels', async () => {
    const flaws: readonly NoiseFlaw[] = [
      {takesHighest: true},
      {excludesBound: true},
      {movesMembers: true},
      {takesNone: true},
    ];
    const differ = flaws.map(() => 0);
    for (const [seed, one] of cases.entries()) {
      const points = one.points();
      const result = await algorithm.run(points, one.params);
      const rows = rowsOf(await memberships(points, one.params, result, {top: 1000}));
      const noise = rows.filter((_, i) => result.labels[i] < 0);
      // The largest membership of some point is a bound that includes it.
      const some = noise[Math.floor(seededRandom(seed)() * noise.length)] ?? [];
      for (const within of [undefined, 0, 1, 0.2, Math.max(0, ...some)]) {
        const expected = assignedOracle(result.labels, rows, within ?? 0);
        expect([...(await assignNoise(points, one.params, result, {within}))], one.name).toEqual(expected);
        for (const [f, flaw] of flaws.entries()) {
          const flawed = assignedOracle(result.labels, rows, within ?? 0, flaw);
          if (flawed.join() !== expected.join()) differ[f]++;
        }
      }
      // The definition has the engine's exp: another last bit decides between clusters that are nearly equal.
      const defined = membershipOracle(points, result);
      (await assignNoise(points, one.params, result)).forEach((label, i) => {
        if (result.labels[i] >= 0 || label < 0) return;
        expect(defined[i][label], one.name).toBeGreaterThan(Math.max(...defined[i]) - 1e-14);
      });
    }
    for (const count of differ) expect(count).toBeGreaterThan(0);
  });

  it('leaves noise below the bound', async () => {
    const result = await hdbscan(line, params);
    expect([...result.labels]).toEqual([0, 0, 0, 1, 1, 1, -1, -1]);
    // The point at 6 is as far from 2 as from 10: the lower cluster. It left the root at λ = 1/4, others at 1.
    expect([...(await assignNoise(line, params, result))]).toEqual([0, 0, 0, 1, 1, 1, 1, 0]);
    expect([...(await assignNoise(line, params, result, {by: 'membership', within: 0.1}))]).toEqual([
      0, 0, 0, 1, 1, 1, -1, 0,
    ]);
    expect([...(await assignNoise(line, params, result, {within: 1}))]).toEqual([...result.labels]);
  });

  it('leaves noise where there is no cluster, and names wrong input', async () => {
    const none = await hdbscan([[0], [9]], params);
    expect([...(await assignNoise([[0], [9]], params, none))]).toEqual([-1, -1]);
    expect([...(await assignNoise([], params, await hdbscan([], params)))]).toEqual([]);
    const refused = (options: object): Promise<Int32Array> => assignNoise([[0], [9]], params, none, options);
    await expect(refused({within: -0.1})).rejects.toThrow('within = -0.1; expected a membership from 0 to 1');
    await expect(refused({within: 1.1})).rejects.toThrow('within = 1.1');
    await expect(refused({within: NaN})).rejects.toThrow('within = NaN');
    await expect(refused({by: 'nearest-core'})).rejects.toThrow(
      "expected 'membership'; assignNoise of @epsball/predict",
    );
    await expect(refused({least: 1})).rejects.toThrow('least');
    await expect(refused({signal: AbortSignal.abort()})).rejects.toThrow('run aborted');
    await expect(assignNoise([[0]], params, none)).rejects.toThrow('labels.length = 2; expected 1');
  });

  it('is named by that of DBSCAN, and names it', async () => {
    const result = {labels: Int32Array.of(0, 0), coreMask: Uint8Array.of(1, 1)};
    const ofDbscan = {eps: 1, minPts: 2};
    expect([...assignNoiseOfDbscan([[0], [1]], ofDbscan, result, {by: 'nearest-core'})]).toEqual([0, 0]);
    const other = 'assignNoise of @epsball/hdbscan';
    expect(() => assignNoiseOfDbscan([[0], [1]], ofDbscan, result, {by: 'membership' as 'nearest-core'})).toThrow(
      other,
    );
    const ofHdbscan = (await hdbscan([[0], [1]], params)) as never;
    expect(() => assignNoiseOfDbscan([[0], [1]], params as never, ofHdbscan)).toThrow(other);
  });
});
