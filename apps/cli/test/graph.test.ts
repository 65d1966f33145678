import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {squaredDistance} from '@epsball/clustering';
import {writePoints} from '@epsball/datasets';
import {dbscanGraph} from '@epsball/dbscan';
import {hdbscan, hdbscanGraph} from '@epsball/hdbscan';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runMain} from './runMain.ts';
import type {Ended} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-graph-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function graph(...args: string[]): Promise<Ended> {
  return runMain(['graph', ...args], {cwd: folder});
}

function json(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, unknown>;
}

/** All pairs of lattice points, in a random order and direction, some of them in both. */
function writePairs(name: string, coords: Float64Array, seed: number): void {
  const random = seededRandom(seed);
  const n = coords.length / 2;
  const rows: string[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const distance = Math.sqrt(squaredDistance(coords, 2, i, j));
      const ends = random() < 0.5 ? [i, j] : [j, i];
      rows.splice(Math.floor(random() * rows.length), 0, `${ends.join(',')},${distance}`);
      if (random() < 0.2) rows.push(`${ends.toReversed().join(',')},${distance}`);
    }
  }
  writeFileSync(join(folder, name), `from,to,distance\n${rows.join('\n')}\n`);
}

describe('epsball graph', () => {
  it('gives the labels of the points that the distances come from', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const random = seededRandom(seed);
      // On a line, so that distances are integers and their squares exact.
      const coords = Float64Array.from({length: 80}, (_, k) => (k % 2 === 0 ? Math.floor(random() * 60) : 0));
      writePairs('pairs.csv', coords, seed);
      const {labels, coreMask} = dbscanOracle({coords, dim: 2}, {eps: 2, minPts: 4});
      expect(await graph('pairs.csv', '--eps', '2', '--min-pts', '4', '--out', 'a.json')).toMatchObject({code: 0});
      expect(json('a.json')).toMatchObject({labels: [...labels], coreMask: [...coreMask]});
      const expected = await hdbscan({coords, dim: 2}, {minClusterSize: 4, minSamples: 3});
      const flags = ['--min-cluster-size', '4', '--min-samples', '3', '--out', 'b.json'];
      expect(await graph('pairs.csv', ...flags)).toMatchObject({code: 0});
      expect(json('b.json')).toMatchObject({
        labels: [...expected.labels],
        probability: [...expected.probabilities],
        outlier_score: [...expected.outlierScores],
      });
    }
  });

  it('needs no distances for DBSCAN over given neighbours', async () => {
    writeFileSync(join(folder, 'friends.csv'), 'a,b\n0,1\n1,2\n4,5\n2,2\n');
    const {stdout, code} = await graph('friends.csv', '--min-pts', '3', '--vertices', '7', '--json', '--out', 'f.csv');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      vertices: 7,
      pairs: 3,
      algorithm: 'dbscan',
      clusters: 1,
      noise: 4,
      core: 1,
    });
    expect(readFileSync(join(folder, 'f.csv'), 'utf8')).toMatch(/^index,label,core\n0,0,0\n1,0,1\n2,0,0\n3,-1,0\n/);
  });

  it('takes a weight for each vertex', async () => {
    writeFileSync(join(folder, 'path.csv'), 'a,b,km\n0,1,1\n1,2,1\n3,4,1\n4,5,1\n');
    const weights = [5, 1, 1, 1, 1, 1];
    writeFileSync(join(folder, 'weights.csv'), `w\n${weights.join('\n')}\n`);
    await writePoints(join(folder, 'weights.npy'), {coords: Float64Array.from(weights), dim: 1});
    const lists = {
      start: Int32Array.of(0, 1, 3, 4, 5, 7, 8),
      neighbors: Int32Array.of(1, 0, 2, 1, 4, 3, 5, 4),
      distances: new Float64Array(8).fill(1),
    };
    const {labels, coreMask} = dbscanGraph(lists, {minPts: 4, sampleWeight: weights});
    const tree = hdbscanGraph(lists, {minClusterSize: 4, minSamples: 2, sampleWeight: weights});
    for (const file of ['weights.csv', 'weights.npy']) {
      expect(await graph('path.csv', '--min-pts', '4', '--weights', file, '--out', 'w.json')).toMatchObject({code: 0});
      expect(json('w.json')).toMatchObject({labels: [...labels], coreMask: [...coreMask]});
      const flags = ['--min-cluster-size', '4', '--min-samples', '2', '--weights', file, '--out', 'w.json'];
      expect(await graph('path.csv', ...flags)).toMatchObject({code: 0});
      expect(json('w.json')).toMatchObject({labels: [...tree.labels], probability: [...tree.probabilities]});
    }
    const refused = async (rows: string, ...flags: string[]): Promise<string> => {
      writeFileSync(join(folder, 'refused.csv'), rows);
      return (await graph('path.csv', '--weights', 'refused.csv', '--min-pts', '4', ...flags)).stderr;
    };
    expect(await refused('1\n1\n')).toContain('the weights in --weights = "2"; expected at least 6');
    expect(await refused('1,2\n')).toContain('one column of weights; it has 2');
    expect(await refused('1\n1\n', '--vertices', '6')).toContain('6 weights, one a vertex; it has 2');
    writeFileSync(join(folder, 'refused.csv'), '1\n1\n-1\n1\n1\n1\n');
    expect((await graph('path.csv', '--weights', 'refused.csv', '--min-cluster-size', '4')).stderr).toContain(
      '--weights, row 2 = -1',
    );
    expect((await graph('path.csv', '--weights', 'path.csv', '--min-pts', '4', '--out', 'path.csv')).code).toBe(2);
  });

  it.for<[string, string[], string]>([
    ['0,1,1\n1,0,2', ['--min-pts', '2'], 'one distance a pair; vertices 0 and 1 have 1 and 2'],
    ['0,0,2', ['--min-pts', '2'], 'one distance a pair; vertex 0 is 2 from itself'],
    ['0,1.5,1', ['--min-pts', '2'], 'integers from 0; row 0 has the vertex 1.5'],
    ['0,1,1\n-1,2,1', ['--min-pts', '2'], 'integers from 0; row 1 has the vertex -1'],
    ['0,1,-3', ['--min-cluster-size', '2'], 'numbers ≥ 0; row 0 has the distance -3'],
    ['0,1,1,9', ['--min-pts', '2'], '2 or 3 columns: two vertices, and their distance; it has 4'],
    ['0,1', ['--min-pts', '2', '--eps', '1'], 'a third column with distances in EDGES'],
    ['0,1', ['--min-cluster-size', '2'], 'a third column with distances for --min-cluster-size'],
    ['0,5,1', ['--min-pts', '2', '--vertices', '3'], 'at least 6: vertex 5 is in EDGES'],
    ['0,1,1', [], 'an integer ≥ 1 for DBSCAN, or --min-cluster-size for HDBSCAN*'],
    ['0,1,1', ['--min-pts', '2', '--min-cluster-size', '2'], '--min-cluster-size for HDBSCAN*'],
    ['0,1,1', ['--min-pts', '2', '--min-samples', '2'], '--min-cluster-size beside it'],
    ['0,1,1', ['--min-cluster-size', '2', '--eps', '2'], '--min-pts beside it'],
  ])('refuses %j with %j', async ([rows, flags, message]) => {
    writeFileSync(join(folder, 'wrong.csv'), `${rows}\n`);
    const {code, stderr} = await graph('wrong.csv', ...flags);
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });
});
