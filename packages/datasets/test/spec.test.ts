import {describe, expect, it} from 'vitest';
import {datasetHash, generateDataset, milanesi, parseDatasetSpec} from '../src/index.ts';

describe('parseDatasetSpec', () => {
  it('takes defaults for missing keys', () => {
    expect(parseDatasetSpec('milanesi')).toEqual({id: 'milanesi', n: 1_000_000, dim: 2, seed: 0, precision: 'float32'});
  });

  it('reads every key in any order', () => {
    expect(parseDatasetSpec('gaussians:seed=7,precision=float64, dim=4,n=1e5')).toEqual({
      id: 'gaussians',
      n: 100_000,
      dim: 4,
      seed: 7,
      precision: 'float64',
    });
  });

  it.for([
    ['milan', 'dataset = "milan"; expected one of milanesi, circles, moons'],
    ['', 'dataset = ""; expected one of milanesi'],
    ['milanesi:', 'dataset = "milanesi:"; expected ID or ID:KEY=VALUE'],
    ['milanesi:n', 'expected ID or ID:KEY=VALUE'],
    ['milanesi:m=3', 'dataset key = "m"; expected one of n, dim, seed, precision'],
    ['milanesi:n=3,n=4', 'expected n at most once'],
    ['milanesi:n=', 'n = ""; expected an integer from 0'],
    ['milanesi:n=-3', 'n = "-3"; expected an integer from 0'],
    ['milanesi:n=0x10', 'n = "0x10"; expected an integer from 0'],
    ['milanesi:n=1.5', 'n = "1.5"; expected an integer from 0'],
    ['milanesi:dim=3', 'dim = "3"; expected 2'],
    ['gaussians:dim=65', 'dim = "65"; expected an integer from 1 to 64'],
    ['milanesi:seed=4294967296', 'seed = "4294967296"; expected an integer from 0 to 4294967295'],
    ['milanesi:precision=half', 'precision = "half"; expected float32 or float64'],
  ])('rejects %j', ([text, message]) => {
    expect(() => parseDatasetSpec(text)).toThrow(message);
  });
});

describe('generateDataset', () => {
  it('takes a text or its parsed form', () => {
    const points = generateDataset('milanesi:n=100,seed=7');
    expect(points).toEqual(milanesi({n: 100, seed: 7}));
    expect(generateDataset(parseDatasetSpec('milanesi:n=100,seed=7'))).toEqual(points);
  });

  it('checks the dimension of a request', () => {
    expect(() => generateDataset({id: 'milanesi', n: 1, dim: 3, seed: 0, precision: 'float32'})).toThrow(
      'dim = 3; expected 2',
    );
  });
});

describe('datasetHash', () => {
  it('differs by precision, dimension and sign of zero', () => {
    const sets = [
      {coords: new Float32Array([0, 0]), dim: 1},
      {coords: new Float32Array([0, 0]), dim: 2},
      {coords: new Float64Array([0, 0]), dim: 1},
      {coords: new Float32Array([0, -0]), dim: 1},
    ];
    expect(new Set(sets.map(datasetHash)).size).toBe(4);
  });

  it('is the same for a view and for shared memory', () => {
    const coords = new Float32Array([9, 1, 2]);
    const shared = new Float32Array(new SharedArrayBuffer(8));
    shared.set([1, 2]);
    const expected = datasetHash({coords: new Float32Array([1, 2]), dim: 1});
    expect(datasetHash({coords: coords.subarray(1), dim: 1})).toBe(expected);
    expect(datasetHash({coords: shared, dim: 1})).toBe(expected);
  });
});
