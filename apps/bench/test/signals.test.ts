import {signalWhen} from '@epsball/cli/testing';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runEpsball} from './runEpsball.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-bench-signals-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

const SIGNALS: [NodeJS.Signals, number, string][] = [
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
  ['SIGHUP', 129, 'terminal closed'],
];

describe.each(SIGNALS)('%s', (signal, exitCode, word) => {
  it('ends the child process of a benchmark cell', async () => {
    let cells: number[] = [];
    const {code, stderr} = await runEpsball(['bench', 'milanesi', '--out', join(folder, 'report')], {
      whenStarted: (bench) =>
        signalWhen(bench, signal, () => {
          cells = childrenOf(bench.pid);
          return cells.length > 0;
        }),
    });
    rmSync(join(folder, 'report'), {recursive: true, force: true});
    expect(stderr).toBe(`epsball: ${word}\n`);
    expect(code).toBe(exitCode);
    for (const cell of cells) expect(() => process.kill(cell, 0)).toThrow('ESRCH');
  });
});

describe('Ctrl-C', () => {
  it('between two cells of a benchmark ends the child process of the next one', async () => {
    let cells: number[] = [];
    const {code, stderr} = await runEpsball(['bench', 'milanesi', '--out', join(folder, 'interrupted')], {
      whenStarted: (bench) => {
        // After a cell's line the next cell's process runs.
        bench.stdout?.on('data', (text: string) => {
          if (cells.length > 0 || !/;\s+verified/.test(text)) return;
          cells = childrenOf(bench.pid);
          if (cells.length > 0) bench.kill('SIGINT');
        });
      },
    });
    expect(stderr).toBe('epsball: interrupted\n');
    expect(code).toBe(130);
    expect(cells.length).toBeGreaterThan(0);
    for (const cell of cells) expect(() => process.kill(cell, 0)).toThrow('ESRCH');
  });
});

function childrenOf(pid: number | undefined): number[] {
  const {stdout} = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], {encoding: 'utf8'});
  return stdout.split(/\s+/).filter(Boolean).map(Number);
}
