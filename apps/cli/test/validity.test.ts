import {readPoints} from '@epsball/datasets';
import {hdbscan, memberships, validity} from '@epsball/hdbscan';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

const POINTS = [0, 1, 2, 3, 10, 11, 12, 30].map((x) => [x]);
const LABELS = [0, 0, 0, 0, 1, 1, 1, -1];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-validity-'));
  writeFileSync(join(folder, 'points.csv'), `x\n${POINTS.join('\n')}\n`);
  writeFileSync(join(folder, 'labels.csv'), `index,label\n${LABELS.map((label, i) => `${i},${label}`).join('\n')}\n`);
});

afterAll(() => rmSync(folder, {recursive: true}));

function epsball(...args: string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

describe('epsball validity', () => {
  it('scores labels, and lists the clusters', async () => {
    const {score, clusters} = await validity(POINTS, LABELS);
    const {stdout, code} = await epsball('validity', 'labels.csv', 'points.csv', '--out', 'scores.csv');
    expect(code).toBe(0);
    expect(stdout).toContain('DBCV 0.7528: 8 points, 1 noise, 2 clusters\n');
    expect(stdout).toMatch(/^1 +3 +1\.333 +9 +0\.8519$/m);
    expect(readFileSync(join(folder, 'scores.csv'), 'utf8')).toContain(
      'label,size,sparseness,separation,validity\n0,4,',
    );
    const json = await epsball('validity', 'labels.csv', 'points.csv', '--json', '--threads', '2');
    expect(JSON.parse(json.stdout)).toMatchObject({
      score,
      points: 8,
      noise: 1,
      clusters: [
        {label: 0, size: 4, validity: clusters.validity[0]},
        {label: 1, size: 3, validity: clusters.validity[1]},
      ],
    });
  });

  it.for(['npy', 'csv', 'parquet', 'arrow'])('scores labels of cluster as .%s', async (extension) => {
    const params = ['--eps', '1', '--min-pts', '2', '--out', `own.${extension}`];
    expect((await epsball('cluster', 'points.csv', ...params)).code).toBe(0);
    const {stdout} = await epsball('validity', `own.${extension}`, 'points.csv');
    expect(stdout).toContain('DBCV 0.7528: 8 points, 1 noise, 2 clusters\n');
  });

  it('scores the rows that lack nothing, by the labels of all rows or of a run that left some out', async () => {
    const lines = readFileSync(join(folder, 'points.csv'), 'utf8').trim().split('\n');
    writeFileSync(
      join(folder, 'gaps.csv'),
      `y,${lines[0]}\n,0\n${lines
        .slice(1)
        .map((x) => `0,${x}`)
        .join('\n')}\n`,
    );
    writeFileSync(join(folder, 'all.csv'), `label\n1\n${LABELS.join('\n')}\n`);
    const score = async (labels: string, rule: string): Promise<unknown> => {
      const {stdout} = await epsball('validity', labels, 'gaps.csv', '--missing', rule, '--json');
      return JSON.parse(stdout);
    };
    const of8 = (
      await validity(
        POINTS.map(([x]) => [0, x]),
        LABELS,
      )
    ).score;
    expect(await score('all.csv', 'drop')).toMatchObject({points: 8, noise: 1, score: of8});
    expect(await score('labels.csv', 'drop')).toMatchObject({points: 8, noise: 1, score: of8});
    const noise = (await score('all.csv', 'noise')) as {points: number; noise: number; score: number};
    expect(noise).toMatchObject({points: 9, noise: 2});
    expect(noise.score).toBeCloseTo((of8 * 8) / 9, 12);
    const refused = await epsball('validity', 'labels.csv', 'gaps.csv', '--missing', 'noise');
    expect(refused.stderr).toContain('9 labels, one a point; it has 8');
  });

  it('says what it takes of a table', async () => {
    const {stdout, stderr} = await epsball('validity', 'points.csv', 'labels.csv');
    expect(stdout).toContain('columns label; left out: index (identifier by its name); --columns chooses\n');
    expect(stderr).toBe('');
    const {stdout: json} = await epsball('validity', 'points.csv', 'labels.csv', '--json');
    expect(JSON.parse(json)).toMatchObject({columns: ['label'], left: [{name: 'index'}]});
  });

  it.for([
    [['labels.csv'], 'input = (not given)'],
    [['labels.csv', 'none.csv'], 'none.csv: cannot be read'],
    [['labels.csv', 'points.csv', '--label-column', 'y'], 'has no column "y"; expected one of index, label'],
    [['labels.csv', 'points.csv', '--out', 'points.csv'], 'another file than the input'],
  ] as const)('answers %s with one line', async ([args, message]) => {
    const {code, stderr} = await epsball('validity', ...args);
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(stderr.toLowerCase()).toContain(message.toLowerCase());
  });

  it('refuses labels of other points, and labels below −1', async () => {
    writeFileSync(join(folder, 'few.txt'), '0\n0\n-2\n');
    const {code, stderr} = await epsball('validity', 'few.txt', 'points.csv');
    expect([code, stderr]).toEqual([2, 'epsball: LABELS = "few.txt"; expected 8 labels, one a point; it has 3\n']);
    writeFileSync(join(folder, 'low.txt'), '0\n0\n-2\n0\n0\n0\n0\n0\n');
    expect(await epsball('validity', 'low.txt', 'points.csv')).toMatchObject({code: 2, stdout: ''});
  });
});

describe('epsball hdbscan --memberships', () => {
  const args = ['hdbscan', 'many.csv', '--min-cluster-size', '4', '--memberships'];
  const many = Array.from({length: 60}, (_, k) => [100 * (k % 3) + Math.sin(k * k), Math.cos(7 * k)]);

  it('writes pairs of points and clusters, or an array', async () => {
    writeFileSync(join(folder, 'many.csv'), `x,y\n${many.map((row) => row.join()).join('\n')}\n`);
    const params = {minClusterSize: 4};
    const result = await hdbscan(many, params);
    const expected = await memberships(many, params, result, {top: 2});
    const rows: string[] = [];
    const array = new Float64Array(60 * result.clusterCount);
    for (let i = 0; i < 60; i++) {
      for (let k = expected.start[i]; k < expected.start[i + 1]; k++) {
        if (expected.values[k] > 0) rows.push(`${i},${expected.clusters[k]},${expected.values[k]}`);
        array[i * result.clusterCount + expected.clusters[k]] = expected.values[k];
      }
    }
    const {stdout, stderr} = await epsball(...args, 'm.csv', '--top', '2');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^memberships +m\.csv$/m);
    expect(readFileSync(join(folder, 'm.csv'), 'utf8')).toBe(`row,cluster,membership\n${rows.join('\n')}\n`);
    await epsball(...args, 'm.npy', '--top', '2');
    expect(await readPoints(join(folder, 'm.npy'))).toEqual({coords: array, dim: result.clusterCount});
    await epsball(...args, 'm.parquet', '--top', '2');
    const {coords} = await readPoints(join(folder, 'm.parquet'));
    expect([...coords]).toEqual(rows.flatMap((row) => row.split(',').map(Number)));
  });

  it.for([
    [['hdbscan', 'many.csv', '--min-cluster-size', '4', '--top', '2'], '--memberships = (not given)'],
    [[...args, 'm.json'], '--memberships = "m.json"; expected a file that ends in'],
    [[...args, 'm.csv', '--top', '0'], '--top = "0"; expected an integer'],
    [[...args, 'm.csv', '--by', 'x'], '--by = "x"; expected no --memberships beside it'],
    [[...args, 'many.csv'], '--memberships = "many.csv"; expected another file than the input'],
  ] as const)('refuses %s', async ([line, message]) => {
    const {code, stderr} = await epsball(...line);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
