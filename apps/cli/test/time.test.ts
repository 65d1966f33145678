import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-time-'));
  const rows = ['0,2024-05-01T12:00Z,0', '0,2024-05-01 12:30,60', '0,2024-05-01T15:01+02:00,120', '0,2024-05-02,9999'];
  writeFileSync(join(folder, 'calls.csv'), `x,when,ms\n${rows.join('\n')}\n`);
});

afterAll(() => rmSync(folder, {recursive: true}));

function cluster(...more: string[]): Promise<Ended> {
  return runMain(['cluster', 'calls.csv', '--columns', 'x', '--eps', '1', '--min-pts', '2', ...more], {cwd: folder});
}

async function noiseOf(...more: string[]): Promise<readonly [noise: number, epsTime: number | null]> {
  const {stdout, stderr} = await cluster('--json', ...more);
  if (stdout === '') throw new Error(stderr);
  const {noise, epsTime} = clusterReportSchema.parse(JSON.parse(stdout));
  return [noise, epsTime];
}

describe('epsball cluster --time-column', () => {
  it('takes spans with units for timestamps and seconds, and numbers in the unit of the column', async () => {
    expect(await noiseOf()).toEqual([0, null]);
    expect(await noiseOf('--time-column', 'when', '--eps-time', '30min')).toEqual([2, 1800]);
    expect(await noiseOf('--time-column', 'when', '--eps-time', '1860000ms', '--verify')).toEqual([1, 1860]);
    expect(await noiseOf('--time-column', 'when', '--eps-time', '0.5d')).toEqual([0, 43_200]);
    expect(await noiseOf('--time-column', 'ms', '--eps-time', '60')).toEqual([1, 60]);
    expect((await cluster('--time-column', 'ms', '--eps-time', '1min')).stdout).toContain(
      'eps 1, epsTime 60, minPts 2',
    );
  });

  it.for([
    [['--eps-time', '3'], '--time-column = (not given)'],
    [['--time-column', 'ms'], '--eps-time = (not given)'],
    [['--time-column', 'ms', '--eps-time', '-1'], '--eps-time = "-1"; expected a finite number ≥ 0'],
    [['--time-column', 'ms', '--eps-time', '3km'], '--eps-time = "3km"; expected a number ≥ 0'],
    [['--time-column', 'ms', '--eps-time', '3', '--assign-noise'], 'no --time-column beside it'],
    [['--time-column', 'ms', '--eps-time', '3', '--save-model', 'm.arrow'], 'no --time-column beside it'],
    [
      ['--time-column', 'ms', '--eps-time', '3', '--algorithm', 'dclust'],
      '--eps-time = 3; expected no epsTime for dclust',
    ],
  ] as const)('refuses %s', async ([flags, message]) => {
    const {code, stderr} = await cluster(...flags);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('is refused out of core', async () => {
    const run = ['scale', 'run', 'calls.csv', '--eps', '1', '--min-pts', '2', '--work', 'w', '--time-column', 'ms'];
    const {code, stderr} = await runMain(run, {cwd: folder});
    expect(stderr).toContain('"--time-column"');
    expect(code).toBe(2);
  });
});
