import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {createProgressBar} from '../src/cluster/progressBar.ts';
import {hasColors, takeColorFlags} from '../src/color.ts';
import {EXAMPLES} from '../src/examples.ts';
import {createProgram} from '../src/program.ts';
import {formatMs, formatPercent, formatTable} from '../src/text.ts';
import {runEpsball} from './runEpsball.ts';
import {runMain} from './runMain.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

it('shows five things that one does first, and no error', async () => {
  const {code, stdout, stderr} = await runMain([]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.match(/^ {2}epsball \w+/gm)).toHaveLength(5);
});

it('has three examples for each command, with options that exist', () => {
  const {commands} = createProgram();
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(commands.map((command) => command.name()).toSorted());
  for (const command of commands) {
    const lines = EXAMPLES[command.name()];
    expect(lines).toHaveLength(3);
    const known = [command, ...command.commands].flatMap(({options}) => options.map(({long}) => long));
    const used = lines.filter((line) => line.includes(`epsball ${command.name()}`)).join(' ');
    const flags = [...used.matchAll(/ (--[a-z-]+)/g)].map(([, flag]) => flag);
    expect(flags.filter((flag) => flag !== '--color' && !known.includes(flag))).toEqual([]);
  }
});

it.for([
  ['epsball cl', 'cluster'],
  ['epsball cluster --min', '--min-pts'],
  ['epsball scale ru', 'run\nruns'],
  ['epsball list alg', 'algorithms'],
  ['epsball cluster points.npy --backend w', 'workers'],
  ['epsball hdbscan --metric h', 'haversine'],
])('completes "%s" in bash', async ([typed, completed]) => {
  const {stdout} = await runMain(['completion', 'bash']);
  const words = typed.split(' ');
  const script = `${stdout}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _epsball; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const folder = mkdtempSync(join(tmpdir(), 'epsball-completion-'));
  try {
    expect(execFileSync('bash', ['-c', script], {cwd: folder, encoding: 'utf8'}).trim()).toBe(completed);
  } finally {
    rmSync(folder, {recursive: true});
  }
});

it('writes CSV to standard output with --out -, and the summary beside it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'epsball-terminal-'));
  try {
    writeFileSync(join(cwd, 'points.csv'), 'x,y\n0,0\n1,0\n9,9\n');
    const cluster = ['cluster', 'points.csv', '--eps', '1', '--min-pts', '2', '--out', '-'];
    const {code, stdout, stderr} = await runEpsball(cluster, {cwd});
    expect([code, stdout]).toEqual([0, 'index,label,core\n0,0,1\n1,0,1\n2,-1,0\n']);
    expect(stderr).toMatch(/^clusters +1$/m);
    const twice = ['hdbscan', 'points.csv', '--min-cluster-size', '2', '--out', '-', '--memberships', '-'];
    expect((await runMain(twice, {cwd})).code).toBe(2);
    expect((await runMain(['cluster', 'points.csv', '--eps', '1', '--min-pts', '2', '--plot', '-'], {cwd})).code).toBe(
      2,
    );
  } finally {
    rmSync(cwd, {recursive: true});
  }
});

it('ends a suggestion with the command to type', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'epsball-terminal-'));
  try {
    writeFileSync(join(cwd, 'my points.csv'), `x,y\n${'0,0\n4,4\n9,9\n'.repeat(50)}`);
    const {stdout} = await runMain(['suggest', 'my points.csv', '--columns', 'x,y'], {cwd});
    expect(stdout).toMatch(/\nepsball cluster 'my points.csv' --columns x,y --eps 3\.\d+ --min-pts 4\n$/);
  } finally {
    rmSync(cwd, {recursive: true});
  }
});

describe('colours', () => {
  it('follow the flags, then the environment, then the terminal', () => {
    const stream = (isTTY: boolean): NodeJS.WriteStream => ({isTTY}) as NodeJS.WriteStream;
    for (const name of ['NO_COLOR', 'FORCE_COLOR', 'TERM']) vi.stubEnv(name, '');
    expect([hasColors(stream(true)), hasColors(stream(false))]).toEqual([true, false]);
    vi.stubEnv('NO_COLOR', '1');
    expect(hasColors(stream(true))).toBe(false);
    expect(takeColorFlags(['list', '--no-color', '--color', '--', '--color'])).toEqual(['list', '--', '--color']);
    expect(hasColors(stream(false))).toBe(true);
    takeColorFlags(['--no-color']);
    expect(hasColors(stream(true))).toBe(false);
  });
});

it('breaks the widest columns of a table at words', () => {
  const rows = [
    ['ID', 'WHAT'],
    ['one', 'a sentence that is too long for the width of a narrow terminal'],
  ];
  expect(formatTable(rows, 30)).toBe(
    'ID   WHAT\none  a sentence that is too\n     long for the width of a\n     narrow terminal\n',
  );
  expect(formatTable(rows).split('\n')).toHaveLength(3);
});

it('shows three digits of a time, and a time too short for them as 0', () => {
  expect([0, 1e-9, 0.00085, 0.85, 12.3, 4560].map(formatMs)).toEqual(
    '0 µs, 0 µs, 0.850 µs, 850 µs, 12.3 ms, 4.56 s'.split(', '),
  );
  expect(formatPercent(1e-9)).toBe('0 %');
});

it('shows elapsed and remaining time after two seconds', () => {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
  const written: string[] = [];
  const stream = {isTTY: true, write: (text: string) => written.push(text) > 0} as unknown as NodeJS.WriteStream;
  const bar = createProgressBar(stream);
  bar.update({phase: 'tile', done: 0, total: 4});
  vi.advanceTimersByTime(1000);
  bar.update({phase: 'tile', done: 1, total: 4});
  vi.advanceTimersByTime(98_500);
  bar.update({phase: 'tile', done: 2, total: 4});
  // Each second, also without a report.
  expect(written.at(-2)).toMatch(/25 % {2}1:39, 4:57 left$/);
  expect(written.at(-1)).toMatch(/50 % {2}1:40, 1:40 left$/);
});
