import {describe, expect, it} from 'vitest';
import {linesOf} from '../src/watch/readLine.ts';
import {runEpsball} from './runEpsball.ts';

const watch = (text: string, ...flags: string[]) => runEpsball(['watch', ...flags], {input: {text}});

const changesOf = (stdout: string): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('epsball watch', () => {
  it('tells how the clusters of CSV lines change in a window of time', async () => {
    const lines = ['t,x,y', '0,0,0', '1,1,0', '2,9,9', '', '6,2,0', '20,0,0'];
    const flags = ['--columns', 'x,y', '--eps', '1', '--min-pts', '2', '--time-column', 't', '--window', '5'];
    const {code, stdout, stderr} = await watch(lines.join('\n'), ...flags);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(changesOf(stdout)).toEqual([
      {line: 3, time: 1, kind: 'born', id: 0, size: 2},
      {line: 7, time: 20, kind: 'died', id: 0},
    ]);
  });

  it('reads objects of JSON, dates and places on the globe', async () => {
    const lines = [
      {at: '2026-01-01T00:00:00Z', lat: 48, lon: 11},
      {at: '2026-01-01T00:00:05Z', lat: 48.0001, lon: 11},
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    const flags = ['--metric', 'haversine', '--columns', 'lat,lon', '--eps', '50m', '--min-pts', '2', '--last', '10'];
    const {stdout} = await watch(text, ...flags, '--time-column', 'at');
    expect(changesOf(stdout)).toEqual([{line: 2, time: 1767225605, kind: 'born', id: 0, size: 2}]);
  });

  it('names the line that is no point, and the flag that is missing', async () => {
    const flags = ['--eps', '1', '--min-pts', '1', '--last', '3'];
    const bad = await watch('x,y\n1,2\n1,b\n', ...flags);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('standard input, line 3: 1 = "b"')]);
    expect(changesOf(bad.stdout)).toHaveLength(1);
    const short = await watch('x,y\n1\n', ...flags);
    expect(short.stderr).toContain('line 2: has 1 cells; expected 2');
    const back = await watch(
      't\n5\n4\n',
      '--columns',
      't',
      '--time-column',
      't',
      '--window',
      '9',
      ...flags.slice(0, 4),
    );
    expect([back.code, back.stderr]).toEqual([
      2,
      expect.stringContaining('line 3: t = 4; expected a finite number ≥ 5'),
    ]);
    const pole = await watch('91,0\n', '--metric', 'haversine', '--eps', '1m', ...flags.slice(2));
    expect(pole.stderr).toContain('line 1: latitude = 91');
    const none = await watch('', ...flags.slice(0, 4));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--window')]);
  });

  it('reads positions from 0, lines without a header, quotes, tabs, and times of UTC', async () => {
    const flags = ['--eps', '1', '--min-pts', '2', '--last', '5'];
    const born = async (text: string, ...more: string[]): Promise<unknown[]> =>
      changesOf((await watch(text, ...flags, ...more)).stdout);
    const two = {kind: 'born', id: 0, size: 2};
    expect(await born('id,x,y\n7,0,0\n8,1,0\n', '--columns', '1,2')).toEqual([{line: 3, ...two}]);
    expect(await born('0,0\n1,0\n')).toEqual([{line: 2, ...two}]);
    expect(await born('name,x,y\n"A, ""b""",0,0\nB,0,1', '--columns', 'x,y')).toEqual([{line: 3, ...two}]);
    expect(await born(',x,y\n,0,0\n,0,1', '--columns', 'x,y')).toEqual([{line: 3, ...two}]);
    expect(await born('x\ty\n0\t0\n0\t1', '--delimiter', 'tab')).toEqual([{line: 3, ...two}]);
    expect(await born('\uFEFF{"x":0,"y":0}\n{"x":0,"y":1}', '--columns', 'x,y')).toEqual([{line: 2, ...two}]);
    const timed = 't,x,y\n2024-05-01T12:30,0,0\n2024-05-01 12:30Z,1,0';
    const times = await born(timed, '--columns', 'x,y', '--time-column', 't');
    expect(times).toEqual([{line: 3, time: 1714566600, ...two}]);
    const hex = await watch('x,y\n0x10,0', ...flags);
    expect([hex.code, hex.stderr]).toEqual([
      2,
      expect.stringContaining('line 2: 0 = "0x10"; expected a finite number'),
    ]);
    const unknown = await watch('x,y\n', ...flags, '--columns', 'x,nope');
    expect([unknown.code, unknown.stderr]).toEqual([2, 'epsball: --columns = "nope"; expected one of x, y\n']);
  });

  it('ends lines at line ends alone, wherever a chunk ends', async () => {
    const chunks = async function* (...texts: string[]): AsyncGenerator<string> {
      for (const text of texts) yield await Promise.resolve(text);
    };
    const lines: string[] = [];
    for await (const part of linesOf(chunks('a\r', '\nb\u2028', 'c\rd', '\n\n', 'e'))) lines.push(...part);
    expect(lines).toEqual(['a', 'b\u2028c', 'd', '', 'e']);
    const text = '{"name":"\u2028","x":1,"y":0}\r\n{"x":1e999,"y":0}';
    const {code, stdout, stderr} = await watch(text, '--columns', 'x,y', '--eps', '1', '--min-pts', '1', '--last', '2');
    expect(changesOf(stdout)).toEqual([{line: 1, kind: 'born', id: 0, size: 1}]);
    expect([code, stderr]).toEqual([2, 'epsball: standard input, line 2: x = Infinity; expected a finite number\n']);
  });
});
