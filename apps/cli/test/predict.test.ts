import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-predict-'));
  const rows = Array.from({length: 40}, (_, k) => `${52 + (k % 8) / 100},${(k < 20 ? 13 : 9) + (k % 5) / 100}`);
  writeFileSync(join(folder, 'places.csv'), `lat,lon\n${rows.join('\n')}\n0,0\n0,0\n`);
  writeFileSync(join(folder, 'new.csv'), 'lon,lat\n13.01,52.01\n9.01,52.02\n2.35,48.86\n');
  writeFileSync(join(folder, 'wide.csv'), 'a,b,c\n1,2,3\n');
  await epsball('cluster', 'places.csv', ...GLOBE, '--out', 'labels.json', '--save-model', 'model.arrow');
});

afterAll(() => rmSync(folder, {recursive: true}));

const GLOBE = ['--metric', 'haversine', '--eps', '5km', '--min-pts', '4'];

function epsball(...args: string[]): Promise<Ended> {
  return runMain(args, {cwd: folder});
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

describe('epsball predict', () => {
  it('labels new points, and gives the points of the model their labels', async () => {
    const {code, stdout} = await epsball('predict', 'model.arrow', 'new.csv', '--out', 'new.json');
    expect(stdout).toMatch(/^3 points in 2 clusters, 1 noise; a model of 40 core points, \d+ ms$/m);
    expect(code).toBe(0);
    expect(json('new.json')).toMatchObject({labels: [0, 1, -1]});
    await epsball('predict', 'model.arrow', 'places.csv', '--out', 'again.json');
    const {labels} = json('labels.json') as {labels: unknown};
    expect(json('again.json')).toMatchObject({labels});
  });

  it('labels rows without a place −1, or leaves them out', async () => {
    writeFileSync(join(folder, 'gaps.csv'), 'lon,lat\n13.01,52.01\n,52\n9.01,52.02\n');
    const noise = await epsball('predict', 'model.arrow', 'gaps.csv', '--missing', 'noise', '--out', 'gaps.json');
    expect(noise.stdout).toMatch(/^2 points in 2 clusters, 0 noise, 1 without a value; a model/);
    expect(json('gaps.json')).toMatchObject({labels: [0, -1, 1]});
    await epsball('predict', 'model.arrow', 'gaps.csv', '--missing', 'drop', '--out', 'gaps.json');
    expect(json('gaps.json')).toMatchObject({labels: [0, 1], rows: [0, 2]});
    const refused = await epsball('predict', 'model.arrow', 'gaps.csv', '--missing', 'drop', '--out', 'gaps.npy');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a table with --missing drop')]);
  });

  it('labels by a model of HDBSCAN*, with probabilities', async () => {
    const size = ['--min-cluster-size', '4', '--metric', 'haversine'];
    const saved = await epsball('hdbscan', 'places.csv', ...size, '--out', 'tree.json', '--save-model', 'tree.arrow');
    expect(saved.code).toBe(0);
    const again = await epsball('predict', 'tree.arrow', 'places.csv', '--out', 'tree-again.json');
    expect(again.stdout).toMatch(/^42 points in \d+ clusters, \d+ noise; a model of 42 points, \d+ ms$/m);
    const {labels, probability} = json('tree.json') as {labels: unknown; probability: unknown};
    expect(json('tree-again.json')).toMatchObject({labels, probability});
  });

  it('labels more points than one block, and names a wrong one by its index among all', async () => {
    const near = '52.01,13.01\n0,0\n'.repeat(10_000);
    writeFileSync(join(folder, 'many.csv'), `lat,lon\n${near}`);
    writeFileSync(join(folder, 'wrong.csv'), `lat,lon\n${near}95,3\n`);
    expect((await epsball('predict', 'model.arrow', 'many.csv', '--out', 'many.json')).code).toBe(0);
    const {labels} = json('many.json') as {labels: number[]};
    expect([labels.length, labels.every((label, i) => label === (i % 2 === 0 ? 0 : -1))]).toEqual([20_000, true]);
    const {code, stderr} = await epsball('predict', 'model.arrow', 'wrong.csv', '--out', 'wrong.json');
    expect(code).toBe(2);
    expect(stderr).toContain('point 20000, latitude = 95');
  });

  it.for([
    ['a,b', [], ''],
    ['b,a', [], ''],
    ['b,a', ['--columns', 'b,a'], ''],
    ['0,1', [], ''],
    ['p,b', [], 'epsball: warning: the columns p, b stand for a, b of the model, in this order\n'],
    ['a,b,c', ['--columns', 'b,c'], 'epsball: warning: the columns b, c stand for a, b of the model, in this order\n'],
  ] as const)('warns of other names than those of the model: %s with %s', async ([head, flags, warning]) => {
    writeFileSync(join(folder, 'ab.csv'), 'a,b\n0,5\n0,5\n');
    writeFileSync(join(folder, 'others.csv'), `${head}\n${head.replaceAll(/\w/g, '5')}\n`);
    await epsball('cluster', 'ab.csv', '--eps', '1', '--min-pts', '2', '--save-model', 'ab.arrow');
    const {code, stderr} = await epsball('predict', 'ab.arrow', 'others.csv', ...flags, '--out', 'others.json');
    expect([code, stderr]).toEqual([0, warning]);
  });

  it('says what is wrong with the model, the points and the flags', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const {code, stderr} = await epsball('predict', ...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('model.arrow', 'new.csv')).toContain('--out');
    expect(await refused('none.arrow', 'new.csv', '--out', 'x.npy')).toContain('MODEL = "none.arrow"');
    expect(await refused('new.csv', 'new.csv', '--out', 'x.npy')).toContain('epsball cluster --save-model');
    expect(await refused('model.arrow', 'wide.csv', '--columns', 'a,b,c', '--out', 'x.npy')).toContain('INPUT');
  });
});

describe('epsball cluster', () => {
  it('warns where all points are noise, or one cluster holds all', async () => {
    writeFileSync(join(folder, 'two.csv'), 'a,b\n1,2\n4,5\n');
    const summaryOf = async (eps: string): Promise<string> =>
      (await epsball('cluster', 'two.csv', '--columns', 'a,b', '--eps', eps, '--min-pts', '2')).stdout;
    expect(await summaryOf('1')).toContain('all points are noise');
    expect(await summaryOf('9')).toContain('one cluster holds all points');
  });
});

describe('epsball cluster --collapse', () => {
  it('gives the same labels', async () => {
    const {code} = await epsball('cluster', 'places.csv', ...GLOBE, '--collapse', '--out', 'collapsed.json');
    expect(code).toBe(0);
    expect(json('collapsed.json')).toEqual(json('labels.json'));
  });

  it('is refused where it would be ignored', async () => {
    for (const flag of [['--collapse'], ['--save-model', 'm.arrow']]) {
      const ended = await epsball('scale', 'run', 'places.csv', '--eps', '1', '--min-pts', '2', '--work', 'w', ...flag);
      expect(ended.stderr).toContain(`option = "${flag[0]}"; expected one that --help lists`);
      expect(ended.code).toBe(2);
    }
  });
});
