import {NOISE, pointCount, type DbscanAlgorithm, type PointSet} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/clustering/definition';
import {
  nearInSpaceAndTime,
  randomTimeSet,
  seededRandom,
  timeOracle,
  type PairRule,
  type PairRules,
  type TimeSet,
} from '@epsball/conformance';
import {SEED, sizeOfShare} from '@epsball/conformance/share';
import {createDenseGridWorkers} from '@epsball/dbscan-dense-grid/workers';
import {createPdsWorkers} from '@epsball/dbscan-pds/workers';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import {createDbscan, dbscan} from '../src/dbscan.ts';
import {explain} from '../src/explain/explain.ts';
import {prepareRun} from '../src/request.ts';
import {suggestEps} from '../src/suggest/suggest.ts';

const sets: readonly TimeSet[] = Array.from({length: sizeOfShare(2000)}, (_, k) => randomTimeSet(7919 * SEED + k));

const near = nearInSpaceAndTime;
const inSpace: PairRule = (distance, limit) => distance <= limit;
const strict: PairRule = (distance, limit, apart, epsTime) => distance <= limit && apart < epsTime;
const joint: PairRule = (distance, limit, apart, epsTime) => distance / limit + (apart / epsTime) ** 2 <= 1;

const mutants: Readonly<Record<string, PairRules>> = {
  'counts neighbours less than epsTime apart': {core: strict, cluster: strict, border: strict},
  'ignores the time': {core: inSpace, cluster: inSpace, border: inSpace},
  'ignores the time in the core test': {core: inSpace, cluster: near, border: near},
  'ignores the time between core points': {core: near, cluster: inSpace, border: near},
  'ignores the time of border points': {core: near, cluster: near, border: inSpace},
  'adds space and time to one distance': {core: joint, cluster: joint, border: joint},
};

/** Every served variant and backend, with indexes, thread counts and small chunks. */
const subjects: readonly (readonly [name: string, maxDim: number, create: () => Promise<DbscanAlgorithm>])[] = [
  ...(['grid', 'directory', 'none'] as const).map(
    (index) => [`sequential, ${index}`, index === 'grid' ? 3 : 4, () => create('sequential', {index})] as const,
  ),
  ['pds', 4, () => create('pds', {})],
  ['pds, none', 4, () => create('pds', {index: 'none'})],
  ['dense-grid', 3, () => create('dense-grid', {})],
  ...[1, 2, 3].flatMap((threads) => {
    const options = {threads, pointsPerChunk: 5};
    return [
      [`pds, ${threads} threads`, 4, async () => createPdsWorkers(options)],
      [`pds by index, ${threads} threads`, 4, async () => createPdsWorkers({...options, partition: 'index'})],
      [`dense-grid, ${threads} threads`, 3, async () => createDenseGridWorkers(options)],
    ] as const;
  }),
];

function create(id: string, options: Record<string, string>): Promise<DbscanAlgorithm> {
  const row = catalogue.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no row ${id}`);
  return row.create({backend: 'sequential', options});
}

describe('the definition with times', () => {
  it('is that of the oracle, in any order of the rows', () => {
    for (const [k, {points, request}] of sets.entries()) {
      const {points: inTime, params} = prepareRun(points, request, {});
      expect(dbscanOracle(inTime, params), `set ${k}`).toEqual(timeOracle(points, request));
    }
  });

  it.for(Object.entries(mutants))('rejects a DBSCAN that %s', ([, rules]) => {
    const isRejected = ({points, request}: TimeSet): boolean =>
      timeOracle(points, request).labels.join() !== timeOracle(points, request, rules).labels.join();
    expect(sets.some(isRejected)).toBe(true);
  });
});

describe.for(subjects)('%s', ([, maxDim, open]) => {
  let algorithm: DbscanAlgorithm | undefined;
  afterAll(() => algorithm?.destroy());

  const expectOracle = async ({points, request}: TimeSet, name: string): Promise<void> => {
    algorithm ??= await open();
    const {points: inTime, params} = prepareRun(points, request, {});
    const {labels, coreMask, clusterCount} = await algorithm.run(inTime, params);
    expect({labels, coreMask, clusterCount}, name).toEqual(timeOracle(points, request));
  };

  it('returns the bytes of the oracle', async () => {
    for (const [k, set] of sets.entries()) if (set.points.dim <= maxDim) await expectOracle(set, `set ${k}`);
  });

  it('parts the crowd of one place by its times', async () => {
    for (const n of [20, 100, 300]) {
      const random = seededRandom(n);
      const time = Float64Array.from({length: n}, () => 20 * random());
      for (const minPts of [1, 2, Math.ceil(n / 20), Math.ceil(n / 10)]) {
        await expectOracle(
          {points: {coords: new Float32Array(n), dim: 1}, request: {eps: 1, minPts, epsTime: 1, time}},
          `${n} points, minPts ${minPts}`,
        );
      }
    }
  });
});

/** Two visits of one place, an hour apart, and a passer-by between. */
const place: PointSet = {coords: Float64Array.of(0, 0, 1, 1, 0, 1, 0.5), dim: 1};
const visits = [0, 10, 5, 3600, 3610, 3590, 1800];

describe('dbscan with times', () => {
  it('parts two visits of one place', async () => {
    const request = {eps: 1, minPts: 3, epsTime: 20, time: visits};
    const {labels} = await dbscan(place, request);
    expect([...labels]).toEqual([0, 0, 0, 1, 1, 1, NOISE]);
    expect([...(await dbscan(place, {eps: 1, minPts: 3})).labels]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it('counts a time of exactly epsTime, and with 0 equal times alone', async () => {
    const points = {coords: Float32Array.of(0, 0, 0), dim: 1};
    const time = [0, 30, 60.000_000_000_000_01];
    expect([...(await dbscan(points, {eps: 1, minPts: 2, epsTime: 30, time})).labels]).toEqual([0, 0, NOISE]);
    const equal = {eps: 1, minPts: 2, epsTime: 0, time: [5, 5, 6]};
    expect([...(await dbscan(points, equal)).labels]).toEqual([0, 0, NOISE]);
  });

  it('gives a border point the lowest cluster that is near in space and in time', async () => {
    // The last row is within eps of both clusters, and near the second in time.
    const points = {coords: Float64Array.of(0, -0.5, -0.5, -0.5, 2, 2.5, 2.5, 2.5, 1), dim: 1};
    const run = {eps: 1, minPts: 4};
    const {labels, coreMask} = await dbscan(points, {...run, epsTime: 10, time: [0, 0, 0, 0, 99, 99, 99, 99, 95]});
    expect([...labels]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1]);
    expect(coreMask[8]).toBe(0);
    expect((await dbscan(points, run)).labels[8]).toBe(0);
  });

  it('serves places on the globe, collapsed points and a kept instance', async () => {
    const places = {coords: Float64Array.of(52.5, 13.4, 52.5, 13.4, 52.5001, 13.4, 52.5, 13.4), dim: 2};
    const request = {eps: 50, metric: 'haversine', angles: 'degrees', epsUnit: 'm', minPts: 2} as const;
    const time = [0, 0, 60, 7200];
    using kept = await createDbscan();
    for (const collapse of [false, true]) {
      const run = {...request, epsTime: 60, time, collapse};
      expect([...(await dbscan(places, run)).labels]).toEqual([0, 0, 0, NOISE]);
      expect([...(await kept.run(places, run)).labels]).toEqual([0, 0, 0, NOISE]);
    }
    expect([...(await kept.run(places, request)).labels]).toEqual([0, 0, 0, 0]);
  });

  it('takes variants that serve times, and refuses the others by name', async () => {
    const run = {eps: 1, minPts: 2, epsTime: 5, time: visits};
    const {algorithm} = await dbscan(place, run);
    expect(['sequential', 'pds', 'dense-grid']).toContain(algorithm);
    for (const other of [{algorithm: 'gdbscan'}, {algorithm: 'grid-bfs'}, {backend: 'gpu'}] as const) {
      await expect(dbscan(place, {...run, ...other})).rejects.toThrow(
        /no epsTime for .*sequential on sequential, dense-grid on sequential or workers, pds on sequential or workers/,
      );
    }
    const wide = {coords: new Float64Array(20), dim: 4};
    // Without times pds has a tree in 4-D and beyond; with them only the directory of sequential is an index.
    expect((await dbscan(wide, {...run, time: new Float64Array(5)})).algorithm).toBe('sequential');
    const request = {...run, time: new Float64Array(5), algorithm: 'dense-grid'};
    await expect(dbscan(wide, request)).rejects.toThrow(
      'dim = 5; expected 1 to 4 for dense-grid, the time counted (sequential, pds can)',
    );
  });

  it('takes dense-grid where many points are near in space and time, and pds where few are', async () => {
    const points = {coords: new Float32Array(2000), dim: 1};
    const time = Float64Array.from({length: 2000}, (_, i) => i);
    const run = {eps: 1, minPts: 5, time, backend: 'sequential'} as const;
    expect((await dbscan(points, {...run, epsTime: 500})).algorithm).toBe('dense-grid');
    using kept = await createDbscan({backend: 'sequential'});
    expect((await kept.run(points, {eps: 1, minPts: 5, time, epsTime: 10})).algorithm).toBe('pds');
  });

  it('refuses wrong parameters by name', async () => {
    const right = {eps: 1, minPts: 2, epsTime: 5, time: visits};
    const wrong = [
      [{...right, epsTime: -1}, /epsTime = -1; expected a finite number ≥ 0/],
      [{...right, epsTime: Infinity}, /epsTime/],
      [{...right, time: undefined}, /time = undefined; expected one time a point with epsTime/],
      [{...right, epsTime: undefined}, /epsTime = undefined; expected a finite number ≥ 0 with time/],
      [{...right, time: [1, 2]}, /time.length = 2; expected 7, one time a point/],
      [{...right, time: visits.with(3, NaN)}, /time\[3\] = NaN/],
      [
        {...right, algorithm: 'pds', options: {index: 'tree'}},
        /index = "tree"; expected auto, grid or none with epsTime/,
      ],
    ] as const;
    for (const [request, message] of wrong) await expect(dbscan(place, request)).rejects.toThrow(message);
    // @ts-expect-error -- callers without type checks
    await expect(suggestEps(place, {time: visits})).rejects.toThrow(/no times: suggestEps/);
  });

  it('is explained: neighbours within epsTime, and the eps at which a point is core among them', async () => {
    const request = {eps: 0.75, minPts: 3, epsTime: 20, time: visits};
    const result = await dbscan(place, request);
    expect([...result.labels]).toEqual(Array.from({length: 7}, () => NOISE));
    const [first, last] = explain(place, request, result, [0, 6]);
    expect(first).toMatchObject({neighbors: 2, missing: 1, coreEps: 1, labelEps: 1});
    expect(last).toMatchObject({neighbors: 1, coreEps: Infinity, clusterEps: Infinity});
    expect(pointCount(place)).toBe(7);
  });
});
