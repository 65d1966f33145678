import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describe, expect, it} from 'vitest';
import {createDbscan, dbscan, groupBy, type DbscanRequest} from '../src/index.ts';

describe('missing', () => {
  it('clusters the complete points alone; the others are noise, or left out', async () => {
    for (let seed = 0; seed < sizeOfShare(300); seed++) {
      const random = seededRandom(seed);
      const n = Math.floor(random() * 60);
      const dim = 1 + Math.floor(random() * 3);
      const isRare = random() < 0.5;
      const value = (): number => (random() < (isRare ? 0.02 : 0.2) ? NaN : Math.floor(random() * 7));
      const points = Array.from({length: n}, () => Array.from({length: dim}, value));
      const isWeighted = seed % 2 === 0;
      const sampleWeight = isWeighted ? Array.from({length: n}, () => (random() < 0.1 ? NaN : 1)) : undefined;
      const isComplete = points.map((row, i) => !row.some(Number.isNaN) && !Number.isNaN(sampleWeight?.[i] ?? 0));
      const kept = [...points.keys()].filter((i) => isComplete[i]);
      const params = {eps: 1, minPts: 3};
      const own = {coords: Float64Array.from(kept.flatMap((i) => points[i])), dim};
      const expected = dbscanOracle(own, params);
      const request = {...params, sampleWeight, backend: seed % 3 === 0 ? 'workers' : 'sequential'} as const;
      const input = n === 0 ? {coords: new Float64Array(0), dim} : points;
      const dropped = await dbscan(input, {...request, missing: 'drop', collapse: seed % 4 === 0});
      expect(dropped.labels).toEqual(expected.labels);
      expect(dropped.coreMask).toEqual(expected.coreMask);
      expect(dropped.rows).toEqual(kept.length === n ? undefined : Int32Array.from(kept));
      const noise = await dbscan(input, {...request, missing: 'noise'});
      const at = new Map(kept.map((i, k) => [i, k]));
      const of = (i: number, values: ArrayLike<number>, other: number): number => {
        const k = at.get(i);
        return k === undefined ? other : values[k];
      };
      expect([...noise.labels]).toEqual(points.map((_, i) => of(i, expected.labels, -1)));
      expect([...noise.coreMask]).toEqual(points.map((_, i) => of(i, expected.coreMask, 0)));
      expect(noise.clusterCount).toBe(expected.clusterCount);
    }
  });

  const noise = {eps: 1, minPts: 2, missing: 'noise'} as const;
  const place = (lat: number | null | undefined, lon = 13) => ({lat, lon});
  const feature = (geometry: object | null) => ({type: 'Feature', properties: {}, geometry});
  const globe = {...noise, metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;

  it.for<[string, unknown, DbscanRequest, number[]]>([
    ['null and undefined in rows', [[0], [null], [1], [undefined], null], noise, [0, -1, 0, -1, -1]],
    ['null and no key in objects', [place(52), place(null), {lon: 13}, place(52)], globe, [0, -1, -1, 0]],
    ['null in columns', {x: [0, null, 1], y: [0, 0, 0]}, noise, [0, -1, 0]],
    ['NaN in coords', {coords: Float32Array.of(0, NaN, 1), dim: 1}, noise, [0, -1, 0]],
    [
      'zero vectors with cosine',
      [
        [1, 0],
        [0, -0],
        [2, 0],
      ],
      {...noise, metric: 'cosine'},
      [0, -1, 0],
    ],
    ['no vectors but zero with cosine', [[0, 0]], {...noise, metric: 'cosine'}, [-1]],
    [
      'zero vectors without cosine',
      [
        [1, 0],
        [0, -0],
        [2, 0],
      ],
      noise,
      [0, 0, 0],
    ],
    ['times', [[0], [0], [0]], {...noise, epsTime: 1, time: [0, NaN, 1]}, [0, -1, 0]],
    [
      'geometries of null in GeoJSON',
      {
        type: 'FeatureCollection',
        features: [{type: 'Point', coordinates: [13, 52]}, null, {type: 'Point', coordinates: []}].map(feature),
      },
      {...globe, minPts: 1},
      [0, -1, -1],
    ],
  ])('takes %s', async ([, points, request, labels]) => {
    expect([...(await dbscan(points as never, request)).labels]).toEqual(labels);
    const {missing: _, ...others} = request;
    if (labels.includes(-1)) await expect(dbscan(points as never, others)).rejects.toThrow(/point \d|time\[1\]|row/);
  });

  it('leaves groups their keys, and fills arrays of the caller', async () => {
    const points = [[0], [NaN], [0], [1], [1]];
    const grouped = await groupBy(points, 'aabab', noise);
    expect([...grouped.labels]).toEqual([0, -1, 1, 0, 1]);
    expect(grouped.groups.map(({key, size}) => [key, size])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    const dropped = await groupBy(points, 'aabab', {...noise, missing: 'drop'});
    expect([[...dropped.labels], [...(dropped.rows ?? [])]]).toEqual([
      [0, 1, 0, 1],
      [0, 2, 3, 4],
    ]);
    using kept = await createDbscan();
    const labels = new Int32Array(5);
    const found = await kept.run(points, noise, {labels});
    expect(found.labels).toBe(labels);
    expect([...labels]).toEqual([0, -1, 0, 0, 0]);
    await expect(kept.run(points, {...noise, missing: 'drop'}, {labels})).rejects.toThrow('Int32Array of length 4');
  });

  it('names wrong values by their row, and an unknown rule', async () => {
    await expect(dbscan([[NaN], [0], [Infinity]], noise)).rejects.toThrow('point 2, axis 0 = Infinity');
    await expect(dbscan([place(null), place(52), place(91)], globe)).rejects.toThrow('point 2');
    await expect(dbscan([[NaN], [0], ['a']] as never, noise)).rejects.toThrow('point 2, axis 0 = "a"');
    const weights = {...noise, sampleWeight: [1, 1, Infinity]};
    await expect(dbscan([[NaN], [0], [0]], weights)).rejects.toThrow('sampleWeight[2] = Infinity');
    await expect(dbscan([[NaN], [0]], weights)).rejects.toThrow('sampleWeight.length = 3; expected 2');
    await expect(dbscan([[NaN]], {...noise, missing: 'skip'} as never)).rejects.toThrow('point 0');
    await expect(dbscan([[0]], {...noise, missing: 'skip'} as never)).rejects.toThrow(
      'missing = "skip"; expected one of error, noise, drop',
    );
    await expect(dbscan([[NaN]], {...noise, missing: 'error'})).rejects.toThrow('point 0');
  });
});
