import {catalogue} from '@epsball/dbscan';
import {datasets} from '@epsball/datasets';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {ClusterReport} from '../src/cluster/clusterReport.ts';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import {runEpsball} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-commands-'));
  // Two pairs of neighbours and a single point.
  writeFileSync(join(folder, 'five.csv'), 'name,lon,lat\na,0,0\nb,1,0\nc,50,0\nd,9,9\ne,9,10\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

const FIVE = ['cluster', 'five.csv', '--columns', 'lon,lat', '--eps', '1', '--min-pts', '2'];

async function clusterAsJson(args: readonly string[]): Promise<ClusterReport> {
  const {code, stdout, stderr} = await runMain([...args, '--json'], {cwd: folder});
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.trimEnd()).not.toContain('\n');
  return clusterReportSchema.parse(JSON.parse(stdout));
}

describe('epsball cluster', () => {
  it('prints a summary for people', async () => {
    const {code, stdout, stderr} = await runMain(FIVE, {cwd: folder});
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^points +5 × 2 float\d\d \(five\.csv\)$/m);
    expect(stdout).toMatch(/^clusters +2$/m);
    expect(stdout).toMatch(/^noise +1 \(/m);
    expect(stdout).toMatch(/^core +4 \(/m);
    expect(stdout).toMatch(/^algorithm +sequential$/m);
    expect(stdout).toMatch(/^backend +sequential$/m);
    expect(stdout).toMatch(/^adapter +none$/m);
    expect(stdout).toMatch(/^ {2}clusters +[\d.]+ (?:µs|ms|s)$/m);
    expect(code).toBe(0);
  });

  it('prints one JSON object of a fixed shape', async () => {
    const report = await clusterAsJson(FIVE);
    expect(report).toMatchObject({points: 5, dim: 2, eps: 1, minPts: 2, clusters: 2, noise: 1, core: 4, adapter: null});
  });

  it('gives noise the cluster of its nearest core point', async () => {
    const far = await clusterAsJson([...FIVE, '--assign-noise', '--out', 'all.json', '--verify', '--explain', '2']);
    expect([far.noise, far.assigned, far.explained[0].label]).toEqual([0, 1, -1]);
    expect(JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'))).toMatchObject({labels: [0, 0, 1, 1, 1]});
    const near = await clusterAsJson([...FIVE, '--assign-noise', '41']);
    expect([near.noise, near.assigned]).toEqual([1, 0]);
    const {stdout} = await runMain([...FIVE, '--assign-noise', '42'], {cwd: folder});
    expect(stdout).toMatch(/^assigned +1 \(20\.0 %\)$/m);
    writeFileSync(join(folder, 'one.csv'), 'x,y\n0,0\n0,1\n9,9\n');
    const one = await runMain(['cluster', 'one.csv', '--eps', '1', '--min-pts', '2', '--assign-noise'], {cwd: folder});
    expect(one.stdout).not.toContain('one cluster holds all points');
    const {code, stderr} = await runMain([...FIVE, '--assign-noise', '0'], {cwd: folder});
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
  });

  it('explains rows, and what would change their labels', async () => {
    const {explained} = await clusterAsJson([...FIVE, '--explain', '2, 0']);
    expect(explained).toMatchObject([
      {
        row: 2,
        label: -1,
        neighbors: 1,
        missing: 1,
        coreEps: 41.97618372363072,
        clusterEps: 41.97618372363072,
        cluster: 1,
      },
      {row: 0, label: 0, isCore: true, coreEps: 1},
    ]);
    const {stdout} = await runMain([...FIVE, '--explain', '2'], {cwd: folder});
    expect(stdout).toMatch(
      /^row 2 +noise: 1 of 2 within eps; core from eps 41\.97\d+; in reach of cluster 1 from eps 41\.97\d+$/m,
    );
    for (const [rows, message] of [
      ['5', '--explain = "5"; expected rows from 0 to 4'],
      ['-1', 'rows from 0 with commas between'],
      ['a', 'rows from 0 with commas between'],
    ]) {
      const {code, stderr} = await runMain([...FIVE, `--explain=${rows}`], {cwd: folder});
      expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
      expect(stderr).toContain(message);
    }
  });

  it.each(catalogue.filter((row) => row.backends.includes('sequential')))(
    'runs $id and verifies it against another variant and the definition',
    async ({id}) => {
      const report = await clusterAsJson([...FIVE, '--algorithm', id, '--backend', 'sequential', '--verify']);
      expect(report.algorithm).toBe(id);
      expect(report.verified).toHaveLength(2);
    },
  );

  it('runs on worker threads', async () => {
    const threads = ['--algorithm', 'pds', '--backend', 'workers', '--threads', '2'];
    const report = await clusterAsJson([...FIVE, ...threads, '--verify', '--out', 'threads.npy']);
    expect(report).toMatchObject({algorithm: 'pds', backend: 'workers', counters: {threads: 2}});
    expect(report.verified).toHaveLength(2);
    expect(readFileSync(join(folder, 'threads.npy')).subarray(-20)).toEqual(
      Buffer.from(Int32Array.of(0, 0, -1, 1, 1).buffer),
    );
  });

  it('passes options to the variant, and prints the values used', async () => {
    const named = ['--algorithm', 'sequential', '--index', 'none'];
    const report = await clusterAsJson([...FIVE, ...named, '--verify']);
    expect(report).toMatchObject({options: {index: 'none'}, counters: {neighborTests: 25}});
    const {stdout} = await runMain([...FIVE, '--algorithm', 'pds', '--option', 'union=lock', '--threads', '2'], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^options +index auto, union lock, partition cells, pointsPerChunk auto$/m);
    expect(stdout).toMatch(/^backend +workers$/m);
  });

  it('verifies many points in any dimension by another variant', async () => {
    writeFileSync(join(folder, 'wide.csv'), `a,b,c,d,e\n${'1,2,3,4,5\n'.repeat(4001)}`);
    const args = ['cluster', 'wide.csv', '--eps', '1', '--min-pts', '2', '--algorithm', 'sequential', '--verify'];
    expect((await clusterAsJson(args)).verified).toEqual(['the variant pds (sequential)']);
  });

  it('writes labels as a plain int32 vector', async () => {
    await clusterAsJson([...FIVE, '--out', 'labels.npy']);
    const bytes = readFileSync(join(folder, 'labels.npy'));
    const header = bytes.toString('latin1', 10, 128);
    expect(header).toContain("'<i4'");
    expect(header).toContain("'shape': (5,)");
    const last = bytes.subarray(bytes.length - 20);
    expect(Array.from({length: 5}, (_, i) => last.readInt32LE(4 * i))).toEqual([0, 0, -1, 1, 1]);
  });

  it.each(['.csv', '.json', '.parquet'])('writes labels as %s', async (extension) => {
    const report = await clusterAsJson([...FIVE, '--out', `labels${extension}`]);
    expect(report.out).toBe(`labels${extension}`);
    expect(readFileSync(join(folder, `labels${extension}`)).length).toBeGreaterThan(10);
  });

  it('draws the clusters as SVG and as PNG', async () => {
    await clusterAsJson([...FIVE, '--plot', 'five.svg']);
    const svg = readFileSync(join(folder, 'five.svg'), 'utf8');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain('5 points · 2 clusters');
    await clusterAsJson([...FIVE, '--plot', 'five.png']);
    expect(readFileSync(join(folder, 'five.png')).toString('latin1', 1, 4)).toBe('PNG');
  });

  it('keeps the old output when the run fails', async () => {
    writeFileSync(join(folder, 'kept.csv'), 'old labels');
    writeFileSync(join(folder, 'bad.csv'), 'x,y\n0,0\n1,NaN\n');
    const {code} = await runMain(['cluster', 'bad.csv', '--eps', '1', '--min-pts', '2', '--out', 'kept.csv'], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'kept.csv'), 'utf8')).toBe('old labels');
  });
});

describe('epsball cluster on a GPU', () => {
  it('closes the device, ends, and names the adapter', async (context) => {
    const args = [...FIVE, '--backend', 'gpu', '--verify', '--json'];
    const {code, stdout, stderr} = await runEpsball(args, {cwd: folder});
    if (code === 1 && process.env['REQUIRE_GPU'] !== '1' && stderr.includes('WebGPU adapter')) context.skip(stderr);
    const report = clusterReportSchema.parse(JSON.parse(stdout));
    expect(report).toMatchObject({algorithm: 'dense-grid', backend: 'gpu', clusters: 2, noise: 1, core: 4});
    expect(report.adapter?.name).toMatch(/\S/);
    expect(report.verified).toHaveLength(2);
    expect(code).toBe(0);
  });

  it('ends with 1 without an adapter of the requested kind', async (context) => {
    const {code, stderr} = await runMain([...FIVE, '--adapter', 'hardware'], {cwd: folder});
    if (code === 0) context.skip('this machine has a hardware adapter');
    expect(stderr).toMatch(/^epsball: no hardware WebGPU adapter .*$/m);
    expect(code).toBe(1);
  });
});

describe('epsball generate', () => {
  it('writes the same points for the same seed', async () => {
    for (const name of ['a.npy', 'b.npy']) {
      const {code, stdout} = await runMain(['generate', 'moons:n=100,seed=7', '--out', name], {cwd: folder});
      expect(stdout).toBe(`${name}: 100 points × 2\n`);
      expect(code).toBe(0);
    }
    expect(readFileSync(join(folder, 'a.npy')).equals(readFileSync(join(folder, 'b.npy')))).toBe(true);
  });
});

describe('epsball list', () => {
  it('lists every algorithm', async () => {
    const {stdout} = await runMain(['list', 'algorithms']);
    for (const {id} of catalogue) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
    expect(stdout).toMatch(/^index +sequential +one of auto, grid, .*none +auto +index for region queries/m);
    expect(stdout).toMatch(/^union +pds on workers +one of lock-free, lock +lock-free +how pairs/m);
    expect(stdout).toMatch(/^fanout +dclust +an integer from 2 to 1048576, or auto; fanout \^ levels ≤ 1048576 /m);
    expect(stdout).toMatch(/^pca +dclust +one of off, on; on needs index directory /m);
  });

  it('lists every dataset', async () => {
    const {stdout} = await runMain(['list', 'datasets']);
    for (const {id} of datasets) expect(stdout).toMatch(new RegExp(`^${id} `, 'm'));
  });
});

describe('epsball doctor', () => {
  it('names Node, the threads, every kind of adapter, and the adapter that would be used', async () => {
    const {code, stdout} = await runMain(['doctor']);
    expect(stdout).toMatch(new RegExp(`^node +${process.versions.node.replaceAll('.', '\\.')} `, 'm'));
    expect(stdout).toMatch(/^threads +\d+$/m);
    for (const kind of ['hardware', 'system-software', 'bundled']) expect(stdout).toContain(` ${kind}: `);
    expect(stdout).toMatch(/^GPU runs (?:use|would fail)/m);
    expect(code).toBe(0);
  });
});

describe('epsball --version', () => {
  it('prints the version of the package', async () => {
    const {code, stdout} = await runMain(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(code).toBe(0);
  });
});
