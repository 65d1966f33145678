import {InvalidParameterError, pointCount, squaredDistance, validatePoints} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {
  aniso,
  blobs,
  circles,
  datasetHash,
  datasets,
  duplicates,
  gaussians,
  gaussians3d,
  generateDataset,
  parseDatasetSpec,
  halos,
  lattice,
  latticeBlocks,
  line,
  milanesi,
  moons,
  noStructure,
  spiral,
  spots,
  traffic,
  tweets,
  uniform,
  varied,
} from '../src/index.ts';

/** Hashes of the data of published figures. */
const PINNED: readonly (readonly [spec: string, hash: string])[] = [
  ['milanesi:n=500,seed=7', '3ef16c9be970868e'],
  ['circles:n=500,seed=7', '2cda6b9078a4d784'],
  ['moons:n=500,seed=7', '2ab1895fa9a26cdf'],
  ['varied:n=500,seed=7', 'f59931e151efef7a'],
  ['aniso:n=500,seed=7', 'd5cd20cbb20826fe'],
  ['blobs:n=500,seed=7', '4d87491f6560559e'],
  ['no-structure:n=500,seed=7', '002a78492e1d88d3'],
  ['tweets:n=500,seed=7', '2391b864c7a9fa8a'],
  ['gaussians:n=500,seed=7', '59b429fc709015b9'],
  ['dense-gaussians:n=500,seed=7', '507f8c445bcda01b'],
  ['embeddings:n=500,seed=7', 'fe885e76af724dd3'],
  ['gaussians3d:n=500,seed=7', '13ab880562d10ef0'],
  ['spots:n=500,seed=7', '036e0e09e6786269'],
  ['halos:n=500,seed=7', 'fb98c35b1aad7df0'],
  ['lattice:n=500,seed=7', '5ec66c1847779218'],
  ['lattice2d:n=500,seed=7', '5ec66c1847779218'],
  ['lattice3d:n=500,seed=7', '2c1bd2530ed872e1'],
  ['duplicates:n=500,seed=7', '8b0d4f9219a25822'],
  ['line:n=500,seed=7', 'b9abd657e32430fd'],
  ['spiral:n=500,seed=7', '7123b354f9cca199'],
  ['uniform:n=500,seed=7', 'f43df4ea9a422940'],
  ['adversary-one-cell:n=500,seed=7', 'b14a1391a8cbe6c2'],
  ['adversary-ten-places:n=500,seed=7', '15ca325384940a40'],
  ['adversary-half:n=500,seed=7', 'baf9d6f641ee14e1'],
  ['adversary-filament:n=500,seed=7', '21b8a9a47b468af3'],
  ['adversary-comb:n=500,seed=7', 'c276d8976da7331e'],
  ['adversary-two-cells:n=500,seed=7', 'b08516fde19cc230'],
];

describe('the registry', () => {
  it('pins the points of every dataset', () => {
    expect(PINNED.map(([spec]) => [spec, datasetHash(generateDataset(spec))])).toEqual(PINNED);
    expect(PINNED.map(([spec]) => spec.split(':')[0])).toEqual(datasets.map((row) => row.id));
  });

  it.for(datasets)('$id makes exactly n valid points in its lowest and highest dimension', (row) => {
    for (const n of [0, 1, 2, 37]) {
      for (const dim of [row.dims.min, row.dims.default, row.dims.max]) {
        for (const precision of ['float32', 'float64'] as const) {
          const points = row.generate({n, dim, seed: 3, precision});
          validatePoints(points);
          expect([pointCount(points), points.dim]).toEqual([n, dim]);
          expect(points.coords.constructor).toBe(precision === 'float32' ? Float32Array : Float64Array);
        }
      }
    }
  });

  it.for(datasets)('$id gives the float64 points rounded to float32', (row) => {
    // Standardised sets compute their mean from rounded values: equal to a few units in the last place only.
    const options = {n: 200, dim: row.dims.default, seed: 5};
    const single = row.generate({...options, precision: 'float32'}).coords;
    const double = row.generate({...options, precision: 'float64'}).coords;
    for (let k = 0; k < single.length; k++) expect(single[k]).toBeCloseTo(double[k], 4);
  });

  it.each(['moons', 'halos', 'uniform', 'spiral', 'lattice3d', 'adversary-comb'])('reports progress of %s', (id) => {
    const n = 100_000;
    const reports: string[] = [];
    const points = generateDataset({
      ...parseDatasetSpec(`${id}:n=${n}`),
      onProgress: ({phase, done, total}) => {
        expect(total).toBe(n);
        expect(done).toBeLessThanOrEqual(n);
        reports.push(phase);
      },
    });
    expect(reports.length).toBeGreaterThan(5);
    const wanted =
      id === 'adversary-comb' ? ['shuffle'] : ['moons', 'halos'].includes(id) ? ['draw', 'shuffle'] : ['draw'];
    expect([...new Set(reports)]).toEqual(wanted);
    expect(datasetHash(points)).toBe(datasetHash(generateDataset(`${id}:n=${n}`)));
  });

  it('gives different points for different seeds', () => {
    const hashes = [0, 1, 2, 4294967295].map((seed) => datasetHash(uniform({n: 10, seed})));
    expect(new Set(hashes).size).toBe(4);
  });

  it('rejects a bad n, seed, precision and dimension', () => {
    expect(() => milanesi({n: -1})).toThrow('n = -1; expected an integer from 0 to 2147483647');
    expect(() => milanesi({n: 1.5})).toThrow(InvalidParameterError);
    expect(() => milanesi({n: 1, seed: -1})).toThrow('seed = -1; expected an integer from 0 to 4294967295');
    expect(() => gaussians({n: 1, dim: 65})).toThrow('dim = 65; expected an integer from 1 to 64');
    expect(() => lattice([])).toThrow('dim = 0');
    expect(() => lattice([2], {spacing: NaN})).toThrow('spacing = NaN; expected a finite number');
  });
});

describe('milanesi', () => {
  it('keeps noise at 10,000 points at every n', () => {
    // Between the rows of shapes, y in [−0.3, 0.5], lies noise only where x < 0; the tip of one Gaussian reaches x ≥ 0.
    const {coords} = milanesi({n: 400_000, seed: 1});
    let found = 0;
    for (let i = 0; i < coords.length; i += 2) {
      if (coords[i] < 0 && coords[i + 1] > -0.3 && coords[i + 1] < 0.5) found++;
    }
    const expected = (10_000 * 3.2 * 0.8) / (6.4 * 5.6);
    expect(Math.abs(found - expected)).toBeLessThan(5 * Math.sqrt(expected));
  });

  it('stays in its box', () => {
    const {coords} = milanesi({n: 20_000});
    for (let i = 0; i < coords.length; i += 2) {
      expect(Math.abs(coords[i])).toBeLessThanOrEqual(3.2);
      expect(Math.abs(coords[i + 1])).toBeLessThanOrEqual(2.8);
    }
  });
});

describe('regular sets', () => {
  it('lays a lattice with the last axis fastest', () => {
    const points = lattice([2, 3], {spacing: 0.5, offset: 10});
    expect([...points.coords]).toEqual([10, 10, 10, 10.5, 10, 11, 10.5, 10, 10.5, 10.5, 10.5, 11]);
    expect(lattice([0, 3]).coords).toHaveLength(0);
  });

  it('leaves a gap of two behind each block of a lattice', () => {
    const {coords} = latticeBlocks({n: 201, dim: 1});
    expect([...coords.slice(98, 103), ...coords.slice(199)]).toEqual([98, 99, 101, 102, 103, 200, 202]);
    expect([...latticeBlocks({n: 5, dim: 2}).coords]).toEqual([0, 0, 0, 1, 0, 2, 1, 0, 1, 1]);
  });

  it('puts duplicates on at most the requested number of places', () => {
    const {coords} = duplicates({n: 5000, distinct: 7, dim: 1});
    expect(new Set(coords).size).toBe(7);
  });

  it('steps along a line by one', () => {
    expect([...line({n: 3, dim: 2}).coords]).toEqual([0, 0, 1, 0, 2, 0]);
  });

  it('lets each point of the spiral reach two before and two after it, and no other turn', () => {
    const {coords} = spiral({n: 3000});
    for (let i = 0; i < 3000; i++) {
      for (let j = i + 1; j < 3000; j++) {
        const isNeighbour = squaredDistance(coords, 2, i, j) <= 2.5 * 2.5;
        if (isNeighbour !== j - i <= 2) expect.unreachable(`points ${i} and ${j}`);
      }
    }
  });
});

describe('shapes of the distributions', () => {
  it('standardises the scikit-learn sets', () => {
    const {coords} = moons({n: 1500, precision: 'float64'});
    const xs = Array.from(coords).filter((_, k) => k % 2 === 0);
    const mean = xs.reduce((sum, x) => sum + x, 0) / 1500;
    const variance = xs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 1500;
    expect(mean).toBeCloseTo(0, 12);
    expect(variance).toBeCloseTo(1, 12);
  });

  it.for([1, 2, 8, 64])('keeps Gaussians of %i dimensions in the unit cube', (dim) => {
    const {coords} = gaussians({n: 2000, dim});
    expect(coords.every((x) => x >= 0 && x <= 1)).toBe(true);
  });

  it.for([
    [false, 0.005],
    [true, 0.2],
  ] as const)('puts the stated share of the pairs of one Gaussian within 0.05, dense: %s', ([isDense, share]) => {
    const {coords} = gaussians({n: 1200, dim: 8, clusters: 1, isDense, precision: 'float64'});
    let near = 0;
    for (let i = 0; i < 1200; i++) {
      for (let j = 0; j < i; j++) {
        let sum = 0;
        for (let d = 0; d < 8; d++) sum += (coords[8 * i + d] - coords[8 * j + d]) ** 2;
        if (sum <= 0.05 ** 2) near++;
      }
    }
    const found = near / ((1200 * 1199) / 2);
    expect(found).toBeGreaterThan(0.8 * share);
    expect(found).toBeLessThan(1.25 * share);
  });

  it('makes tweets with many coinciding points', () => {
    const {coords} = tweets({n: 20_000, precision: 'float64'});
    const places = new Set<string>();
    for (let i = 0; i < coords.length; i += 2) places.add(`${coords[i]},${coords[i + 1]}`);
    expect(places.size).toBeLessThan(19_500);
    expect(places.size).toBeGreaterThan(15_000);
  });
});

describe('unknown options of a generator', () => {
  const ofPlane = [aniso, blobs, circles, milanesi, moons, noStructure, spiral, tweets, varied];
  const others = [duplicates, gaussians, gaussians3d, halos, line, spots, uniform];
  const generators = [...ofPlane, ...others].map((generate) => [generate.name, generate] as const);

  it.for(generators)('are refused: %s', ([, generate]) => {
    const options = {n: 10, sead: 2};
    expect(() => generate(options)).toThrow('option = "sead"; expected');
    expect(() => generate(null as never)).toThrow('options = null; expected an object');
  });
});

describe('traffic', () => {
  it('moves cars through a town, at 15 m/s at most, the same way for a seed', () => {
    const [town, again] = [traffic(50, 3), traffic(50, 3)];
    let before = town.step(60);
    expect(again.step(60)).toEqual(before);
    for (let k = 0; k < 20; k++) {
      const now = town.step(1);
      for (let i = 0; i < now.length; i++) expect(Math.abs(now[i] - before[i])).toBeLessThan(15 / 70_000);
      before = now;
    }
  });

  it('refuses other numbers of cars, seeds and seconds', () => {
    for (const cars of [0, 1.5, NaN, '5']) expect(() => traffic(cars as number, 1)).toThrow(InvalidParameterError);
    expect(() => traffic(1, -1)).toThrow(InvalidParameterError);
    for (const seconds of [-1, NaN, Infinity]) expect(() => traffic(1, 1).step(seconds)).toThrow(InvalidParameterError);
  });
});
