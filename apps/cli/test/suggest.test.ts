import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runMain} from './runMain.ts';

describe('epsball suggest of points that coincide', () => {
  let cwd = '';
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), 'epsball-suggest-'));
    writeFileSync(join(cwd, 'few.csv'), `x,y\n${'0,0\n'.repeat(5)}${'4,4\n'.repeat(5)}9,9\n`);
    writeFileSync(join(cwd, 'piles.csv'), `x,y\n${'0,0\n4,4\n9,9\n'.repeat(50)}`);
  });
  afterAll(() => rmSync(cwd, {recursive: true}));

  it('proposes an eps that the command takes, and counts the distances of 0', async () => {
    const {code, stdout, stderr} = await runMain(['suggest', 'few.csv', '--min-pts', '5'], {cwd});
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      '10 of 11 distances are 0 and left out of knee and cut: points whose place holds 5 or more',
    );
    const [, eps] = /^plateau +([\d.]+) +2 +1 /m.exec(stdout) ?? [];
    const clustered = await runMain(['cluster', 'few.csv', '--eps', eps, '--min-pts', '5'], {cwd});
    expect(clustered.stdout).toMatch(/^clusters +2\b/m);
  });

  it('takes the rows that lack nothing, and says so in its line', async () => {
    writeFileSync(join(cwd, 'gaps.csv'), `x,y\n${'0,0\n'.repeat(5)}4,\n${'4,4\n'.repeat(5)}9,9\n`);
    const full = await runMain(['suggest', 'few.csv', '--min-pts', '5'], {cwd});
    const {code, stdout} = await runMain(['suggest', 'gaps.csv', '--min-pts', '5', '--missing', 'noise'], {cwd});
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(0, 5)).toEqual(full.stdout.split('\n').slice(0, 5));
    const [, line] = /^epsball (.*)$/m.exec(stdout) ?? [];
    expect(line).toContain('gaps.csv --missing noise');
    expect(await runMain(line.split(' '), {cwd})).toMatchObject({code: 0});
  });

  it('names the columns of a query', async () => {
    const {stdout} = await runMain(['suggest', '--sql', "SELECT x + 1 AS p, y FROM 'few.csv'"], {cwd});
    expect(stdout).toMatch(/^columns p, y\nPROPOSAL /);
  });

  it('finds and draws piles of equal points', async () => {
    const {code, stdout} = await runMain(['suggest', 'piles.csv', '--plot', 'piles.svg'], {cwd});
    expect(code).toBe(0);
    expect(stdout).toMatch(/^plateau +3\.\d+ +3 +0 /m);
    expect(stdout).toContain('The plateau is the safest choice.');
    expect(readFileSync(join(cwd, 'piles.svg'), 'utf8')).not.toMatch(/NaN|Infinity/);
  });
});
