import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {groups} from '@epsball/shapes';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {largestClusters} from '../src/cluster/clusterTable.ts';
import {formatClusters} from '../src/cluster/formatClusters.ts';
import {niceTicks} from '../src/plot/ticks.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

/** What follows “around”, for clusters of points of `dim` coordinates. */
function centersOf(dim: number, clusters: readonly (readonly number[])[], precision?: 'float32' | 'float64'): string[] {
  const values = clusters.flat();
  const coords = precision === 'float32' ? Float32Array.from(values) : Float64Array.from(values);
  const labels = Int32Array.from(clusters.flatMap((all, k) => Array.from({length: all.length / dim}, () => k)));
  const rows = largestClusters({coords, dim}, groups(labels)).toSorted((a, b) => a.cluster - b.cluster);
  return formatClusters(rows, precision ?? 'float64').map(([, text]) => text.split(' around ')[1]);
}

describe('the centre of a cluster', () => {
  it.each<[string, number, number[][], string[]]>([
    [
      'times in seconds',
      1,
      [
        [1527007410, 1527007411],
        [1527007489.08, 1527007490.02],
      ],
      ['1527007410.5', '1527007489.55'],
    ],
    [
      'northings in metres',
      2,
      [
        [389000, 5820000, 389200, 5820350],
        [389000, 5821000, 389300, 5821200],
      ],
      ['389100, 5820175', '389150, 5821100'],
    ],
    ['a wide cluster', 1, [[123456.789, 987654.321]], ['555600']],
    ['millions', 1, [[1e9 + 1, 9e9 + 3]], ['5000000000']],
    ['equal points', 2, [[52.520008, 13.404954, 52.520008, 13.404954]], ['52.520008, 13.404954']],
    ['one point', 1, [[0.1], [7]], ['0.1', '7']],
    ['a line along an axis', 2, [[0, 0.123456, 10, 0.123456]], ['5, 0.123456']],
    ['a mean of rounding errors', 1, [[-1, 1e-17, 1]], ['0']],
    ['small numbers', 1, [[1.5e-9, 2.5e-9]], ['2e-9']],
    ['negative numbers', 1, [[-1000.25, -1000.75]], ['-1000.5']],
    // As wide as half their distance is small.
    [
      'crossing clusters',
      1,
      [
        [0, 2],
        [0, 2.0002],
      ],
      ['1', '1.0001'],
    ],
    [
      'the same centre',
      1,
      [
        [-1, 1],
        [-2, 2],
      ],
      ['0', '0'],
    ],
  ])('%s', (_, dim, clusters, shown) => {
    expect(centersOf(dim, clusters)).toEqual(shown);
  });

  it('has the digits of float32 where points are equal', () => {
    expect(centersOf(2, [[0.1, 16777215, 0.1, 16777215]], 'float32')).toEqual(['0.1, 16777215']);
  });

  it('is right to a thousandth of the extent, and tells clusters apart', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;
    for (let round = 0; round < 500; round++) {
      const dim = 1 + (round % 3);
      const offset = 10 ** (20 * random() - 8) * (random() < 0.5 ? -1 : 1);
      const clusters = Array.from({length: 3}, () => {
        const scale = Math.abs(offset) * 10 ** (-9 * random());
        const start = offset + Math.abs(offset) * random() * 10 ** (-4 * random());
        return Array.from({length: 4 * dim}, () => start + scale * random());
      });
      const shown = centersOf(dim, clusters);
      expect(new Set(shown).size).toBe(3);
      for (const [k, all] of clusters.entries()) {
        for (const [d, text] of shown[k].split(', ').entries()) {
          const own = all.filter((__, at) => at % dim === d);
          const [least, most] = [Math.min(...own), Math.max(...own)];
          const mean = own.reduce((sum, x) => sum + (x - least) / own.length, least);
          // One unit in the last place of the coordinates is beyond telling.
          const allowed = (most - least) / 1000 + Math.abs(mean) * 2 ** -51;
          expect(Math.abs(Number(text) - mean)).toBeLessThanOrEqual(allowed);
        }
      }
    }
  });

  it('is finite where differences overflow', () => {
    expect(centersOf(1, [[-1.7e308, 1.7e308, 1.7e308]])[0]).toMatch(/^5\.\d+e\+307$/);
    expect(centersOf(1, [[-1.7e308, 1.7e308]])).toEqual(['0']);
  });
});

describe('the marks of an axis', () => {
  it.each<[number, number]>([
    [1527007410, 1527007410.002],
    [1.6e15, 1.6e15 + 8],
    [5820000.00001, 5820000.00002],
    [-3e12, -3e12 + 0.01],
    [0, 3e-9],
  ])('differ: %d to %d', (min, max) => {
    const ticks = niceTicks(min, max, 5);
    const [values, labels] = [ticks.map(({value}) => value), ticks.map(({label}) => label)];
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.length).toBeGreaterThan(1);
    for (const [k, label] of labels.entries()) {
      const read = Number(label.replaceAll(',', '').replaceAll('−', '-'));
      expect(Math.abs(read - values[k])).toBeLessThanOrEqual((max - min) / 1000);
    }
  });
});

describe('epsball cluster', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-centers-'));
    writeFileSync(join(folder, 'times.csv'), 't\n1527007410\n1527007411\n1527007489.08\n1527007490.02\n');
  });

  afterAll(() => rmSync(folder, {recursive: true}));

  const cluster = (...more: string[]): Promise<Ended> =>
    runMain(['cluster', 'times.csv', '--eps', '2', '--min-pts', '2', ...more], {cwd: folder});

  it('tells two clusters of times apart', async () => {
    const {stdout} = await cluster();
    expect(stdout).toMatch(/^ {2}cluster 0 +2 points around 1527007410\.5$/m);
    expect(stdout).toMatch(/^ {2}cluster 1 +2 points around 1527007489\.55$/m);
  });

  it('prints the extents as JSON', async () => {
    const {largest} = clusterReportSchema.parse(JSON.parse((await cluster('--json')).stdout));
    expect(largest[0]).toEqual({cluster: 0, size: 2, center: [1527007410.5], extent: [1]});
    expect(largest[1].extent[0]).toBeCloseTo(0.94, 6);
  });
});
