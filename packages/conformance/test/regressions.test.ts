import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {formatRegression, readRegressions} from '@epsball/conformance';
import {afterAll, describe, expect, it} from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'epsball-regressions-'));
const url = pathToFileURL(`${folder}/`);
afterAll(() => rmSync(folder, {recursive: true}));

describe('a regression file', () => {
  it.for(['float32', 'float64'] as const)('keeps the bytes of %s points, also −0 and subnormals', (precision) => {
    const values = [0, -0, 0.1, -1 / 3, 5e-324, 2 ** -149, 3.4e38, 1];
    const coords = precision === 'float32' ? Float32Array.from(values) : Float64Array.from(values);
    const params = {eps: 1 / 3, minPts: 2};
    writeFileSync(join(folder, 'kept.json'), formatRegression('what it shows', {coords, dim: 2}, params));
    const [kept] = readRegressions(url);
    expect(kept).toMatchObject({name: 'regression: what it shows', dim: 2, params});
    expect(new Uint8Array(kept.points().coords.buffer)).toEqual(new Uint8Array(coords.buffer));
  });

  it('with other contents is an error with its name', () => {
    writeFileSync(join(folder, 'kept.json'), '{"name": "no points"}');
    expect(() => readRegressions(url)).toThrow('kept.json is not a regression');
  });
});

it('all stored regressions can be read', () => {
  for (const {points, dim} of readRegressions()) expect(points().coords.length % dim).toBe(0);
});
