import {hdbscan} from '@epsball/hdbscan';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {formatHierarchyReport, hierarchyReportOf} from '../src/hdbscan/hierarchyReport.ts';
import {runMain} from './runMain.ts';

describe('epsball hdbscan', () => {
  let folder = '';
  let points = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'epsball-hdbscan-'));
    points = join(folder, 'points.csv');
    writeFileSync(points, `x,y\n${[0, 1, 2, 40, 41, 42, 90].map((x) => `${x},0`).join('\n')}\n`);
  });
  afterAll(() => rmSync(folder, {recursive: true}));

  const cluster = (...more: string[]): ReturnType<typeof runMain> =>
    runMain(['hdbscan', points, '--columns', 'x,y', ...more]);

  it('writes labels, probabilities and outlier scores, and draws the condensed tree', async () => {
    const [out, tree, plot] = ['labels.csv', 'tree.svg', 'plot.svg'].map((name) => join(folder, name));
    const flags = ['--min-cluster-size', '3', '--out', out, '--tree', tree, '--plot', plot, '--json', '--verify'];
    const {code, stdout, stderr} = await cluster(...flags);
    expect([code, stderr]).toEqual([0, '']);
    const report: unknown = JSON.parse(stdout);
    expect(report).toMatchObject({
      points: 7,
      minClusterSize: 3,
      minSamples: 3,
      clusters: 2,
      noise: 1,
      algorithm: 'hdbscan',
      backend: 'sequential',
      verified: ['the backend workers'],
    });
    const [header, first, ...others] = readFileSync(out, 'utf8').trim().split('\n');
    expect(header).toBe('index,label,probability,outlier_score');
    expect(first).toMatch(/^0,0,[\d.]+,[\d.]+$/);
    expect(others.map((row) => Number(row.split(',')[1]))).toEqual([0, 0, 1, 1, 1, -1]);
    expect(readFileSync(tree, 'utf8')).toContain('class="eb-icicle"');
    expect(readFileSync(plot, 'utf8')).toContain('minClusterSize 3, minSamples 3');
  });

  it('draws the reachability plot, and the way of explained rows down the tree', async () => {
    const [tree, plot] = ['way.svg', 'reachability.svg'].map((name) => join(folder, name));
    const flags = ['--min-cluster-size', '3', '--tree', tree, '--reachability', plot, '--explain', '6,0'];
    const {code, stdout} = await cluster(...flags);
    expect(code).toBe(0);
    expect(stdout).toMatch(/tree +.*way\.svg\nreachability +.*reachability\.svg\n/);
    expect(readFileSync(tree, 'utf8')).toMatch(/class="eb-way".*>row 6<.*class="eb-way".*>row 0</s);
    const drawn = readFileSync(plot, 'utf8');
    // One bar each: three of the first cluster, three of the second, noise.
    expect(
      [...drawn.matchAll(/<path d="([^"]*)" class="eb-(?:c\d|noise)"/g)].map(([, path]) => path.split('Z').length - 1),
    ).toEqual([3, 3, 1]);
    expect(drawn).toMatch(/>0<\/text>.*>1<\/text>/s);
  });

  it('draws places as a map, and their tree in kilometres', async () => {
    const [places, tree, plot] = ['places.csv', 'globe.svg', 'map.svg'].map((name) => join(folder, name));
    writeFileSync(places, `lat,lon\n${[0, 1, 2, 40, 41, 42].map((lat) => `${lat},120`).join('\n')}\n`);
    const flags = ['--min-cluster-size', '3', '--tree', tree, '--plot', plot];
    const {code, stderr} = await runMain(['hdbscan', places, '--metric', 'haversine', ...flags]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(tree, 'utf8')).toContain('>distance in km</text>');
    // 38 degrees are 4,225 km, 1 degree is 111 km.
    expect(readFileSync(tree, 'utf8')).toMatch(/>200<.*>1,000<|>1,000<.*>200</s);
    expect(readFileSync(plot, 'utf8')).toMatch(/>lon<.*>lat</s);
  });

  it('prints a summary', async () => {
    const {code, stdout} = await cluster('--min-cluster-size', '3', '--selection', 'leaf', '--exclude-self');
    expect(code).toBe(0);
    expect(stdout).toContain('minClusterSize 3, minSamples 3, selection leaf\n');
    expect(stdout).toMatch(/condensed tree +1 cluster\n/);
  });

  it('reports the limits of the selection', async () => {
    const limits = ['--selection-eps', '0.5', '--max-cluster-size', '6', '--allow-single-cluster'];
    const {stdout} = await cluster('--min-cluster-size', '5', ...limits);
    expect(stdout).toContain('selection eom, selectionEps 0.5, maxClusterSize 6, allowSingleCluster\n');
    const given = JSON.parse((await cluster('--min-cluster-size', '5', ...limits, '--json')).stdout);
    expect(given).toMatchObject({selectionEps: 0.5, maxClusterSize: 6, allowSingleCluster: true, fallback: []});
    const absent = JSON.parse((await cluster('--min-cluster-size', '5', '--json')).stdout);
    expect(absent).toMatchObject({selectionEps: null, maxClusterSize: null, allowSingleCluster: false});
  });

  it('says where copies of a place decide, and how to count each place once', async () => {
    const rounded = join(folder, 'rounded.csv');
    const xs = Array.from({length: 90}, (_, k) => Math.round(4 * Math.sin(k * k)) + 40 * (k % 3));
    writeFileSync(rounded, `x\n${xs.join('\n')}\n`);
    const flags = ['hdbscan', rounded, '--columns', 'x', '--min-cluster-size', '5'];
    const counted = await runMain(flags);
    expect(counted.stdout).toMatch(/warning +42 of 90 points .* --min-samples copies .*\. --duplicates once counts/);
    const {stdout} = await runMain([...flags, '--duplicates', 'once']);
    expect(stdout).toContain('selection eom, duplicates once\n');
    expect(stdout).toMatch(/clusters +3\n/);
    expect(stdout).not.toContain('warning');
    const report: unknown = JSON.parse((await runMain([...flags, '--json'])).stdout);
    expect(report).toMatchObject({duplicates: 'count', warnings: [expect.stringContaining('--duplicates once')]});
  });

  it('says that a single cluster has no bound, and takes the flag that bounds it', async () => {
    const outlier = join(folder, 'outlier.csv');
    writeFileSync(outlier, `x\n${'0\n'.repeat(30)}20\n`);
    const flags = ['--min-cluster-size', '5', '--allow-single-cluster', '--columns', 'x'];
    const {stdout} = await runMain(['hdbscan', outlier, ...flags]);
    expect(stdout).toMatch(/noise +0 .*warning +one cluster, the root, .* --selection-eps bounds/s);
    const bounded = await runMain(['hdbscan', outlier, ...flags, '--selection-eps', '1']);
    expect(bounded.stdout).toMatch(/clusters +1\nnoise +1 /);
    expect(bounded.stdout).not.toContain('--selection-eps bounds');
  });

  it('sums weights of a column, and draws them', async () => {
    const [weighted, tree] = ['weighted.csv', 'weighted.svg'].map((name) => join(folder, name));
    const write = (last: number): void =>
      writeFileSync(weighted, `x,w\n${[0, 1, 2, 40, 41].map((x) => `${x},1`).join('\n')}\n42,${last}\n`);
    const flags = [
      'hdbscan',
      weighted,
      '--columns',
      'x',
      '--weight-column',
      'w',
      '--min-cluster-size',
      '3',
      '--verify',
    ];
    write(0.5);
    const light: unknown = JSON.parse((await runMain([...flags, '--json'])).stdout);
    expect(light).toMatchObject({points: 6, clusters: 0, noise: 6, weighted: true});
    write(7);
    const {stdout} = await runMain([...flags, '--tree', tree]);
    expect(stdout).toMatch(/selection eom, weights\nclusters +2\n/);
    // The root is 900 wide and weighs 12, its second child 9.
    const widths = [...readFileSync(tree, 'utf8').matchAll(/<path d="M([\d.]+) [\d.]+L/g)].map(([, x]) => Number(x));
    expect(widths).toEqual([900, 225, 900]);
    write(-1);
    const refused = await runMain(flags);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'epsball: --weight-column, row 5 = -1; expected a finite number ≥ 0\n',
    ]);
  });

  it('gives noise the cluster of its largest membership', async () => {
    const [out, tree] = ['assigned.csv', 'assigned.svg'].map((name) => join(folder, name));
    const flags = ['--min-cluster-size', '3', '--out', out, '--tree', tree, '--assign-noise'];
    const {stdout} = await cluster(...flags);
    expect(stdout).toMatch(/^noise +0 \(0 %\)\nassigned +1 \(14\.3 %\)$/m);
    const rows = readFileSync(out, 'utf8').trim().split('\n').slice(1);
    expect(rows.map((row) => Number(row.split(',')[1]))).toEqual([0, 0, 0, 1, 1, 1, 1]);
    expect(rows[6]).toMatch(/^6,1,0,/);
    const bounded: unknown = JSON.parse((await cluster(...flags, '0.5', '--json', '--explain', '6')).stdout);
    expect(bounded).toMatchObject({noise: 1, assigned: 0, explained: [{label: -1}]});
    const refused = await cluster(...flags, '2');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'epsball: --assign-noise = "2"; expected a number from 0 to 1\n',
    ]);
  });

  it('explains rows', async () => {
    const explained = await cluster('--min-cluster-size', '3', '--json', '--explain', '0');
    expect(JSON.parse(explained.stdout).explained).toMatchObject([{row: 0}]);
    const {stdout} = await cluster('--min-cluster-size', '3', '--explain', '0');
    expect(stdout).toMatch(
      /^row 0 +(?:noise|cluster \d+, probability [\d.]+): core from [\d.]+, left its cluster at [\d.]+/m,
    );
    const refused = await cluster('--min-cluster-size', '3', '--explain', '100000');
    expect([refused.code, refused.stderr.trimEnd().split('\n').length]).toEqual([2, 1]);
    expect(refused.stderr).toContain('--explain = "100000"; expected rows from 0 to');
  });

  it('reports backends that could not run', async () => {
    const set = {coords: Float64Array.of(0, 1, 9, 10), dim: 1};
    const fallback = [{algorithm: 'boruvka', backend: 'gpu', reason: 'npm install webgpu'}] as const;
    const request = {minClusterSize: 2, minSamples: 1};
    const outcome = {...(await hdbscan(set, request)), fallback};
    const report = hierarchyReportOf({
      input: 'a.csv',
      points: set,
      request,
      outcome,
      readMs: 1,
      verified: [],
      flags: {},
    });
    expect(report.fallback).toEqual(fallback);
    expect(formatHierarchyReport(report)).toMatch(/condensed tree +3 clusters\n.*not on gpu +npm install webgpu\n/s);
  });

  const unknown = (flag: string): string => `option = "${flag}"; expected one that --help lists`;
  it.for<[string[], string]>([
    [[], '--min-cluster-size = (not given); expected an integer ≥ 2'],
    [['--min-cluster-size', '1'], '--min-cluster-size = "1"; expected an integer ≥ 2'],
    [['--min-cluster-size', '3', '--eps', '2'], unknown('--eps')],
    [['--min-cluster-size', '3', '--min-pts', '2'], unknown('--min-pts')],
    [['--min-cluster-size', '3', '--option', 'index=none'], unknown('--option')],
    [['--min-cluster-size', '3', '--duplicates', 'twice'], '--duplicates = "twice"; expected one of count, once'],
    [['--min-cluster-size', '3', '--selection', 'dbscan'], '--selection = "dbscan"; expected one of eom, leaf'],
    [
      ['--min-cluster-size', '3', '--selection', 'leaf', '--max-cluster-size', '4'],
      '--max-cluster-size = "4"; expected --selection eom beside it, not leaf',
    ],
    [['--min-cluster-size', '3', '--work', 'w'], unknown('--work')],
    [['--min-cluster-size', '3', '--memory', '1GB'], unknown('--memory')],
    [['--min-cluster-size', '3', '--concurrency', '2'], unknown('--concurrency')],
    [['--min-cluster-size', '3', '--run', 'night'], unknown('--run')],
    [['--min-cluster-size', '3', '--redis', 'redis://127.0.0.1'], unknown('--redis')],
    [
      ['--min-cluster-size', '3', '--threads', '2', '--backend', 'gpu'],
      '--threads = "2"; expected --backend workers or auto beside it, not gpu',
    ],
    [
      ['--min-cluster-size', '3', '--threads', '2', '--adapter', 'software'],
      '--threads = (given); expected no --adapter beside it',
    ],
  ])('refuses %j', async ([flags, message]) => {
    const {code, stdout, stderr} = await cluster(...flags);
    expect([code, stdout, stderr]).toEqual([2, '', `epsball: ${message}\n`]);
  });
});
