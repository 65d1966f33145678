import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {CSV, GEOJSON, type FileKind} from './fileKinds.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';
import {ARRAYS, ARROW, PARQUET} from './tableKinds.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-kinds-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

const KINDS = [...CSV, ...GEOJSON, ...ARRAYS, ...PARQUET, ...ARROW];

function cluster(input: string, flags: readonly string[], text?: string): Promise<Ended> {
  const args = ['cluster', input, '--eps', '1.5', '--min-pts', '2', '--json', ...flags];
  return runMain(args, {cwd: folder, ...(text === undefined ? {} : {input: {text}})});
}

function expectClusters({stdout, stderr, code}: Ended): void {
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({points: 4, clusters: 2, noise: 0});
}

/** The flags that a refusal tells to type. */
function flagsOf(line: string): readonly string[] | undefined {
  const [, word] = /--columns ('[^']*'|[^\s']+)/.exec(line) ?? [];
  return word === undefined || word === 'with' ? undefined : ['--columns', word.replaceAll("'", '')];
}

describe('epsball cluster', () => {
  it('knows more than sixty kinds of files', () => {
    expect(KINDS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(KINDS.map(({kind}) => kind)).size).toBe(KINDS.length);
  });

  it.for(KINDS.map((one) => [one.kind, one] as const))('reads or refuses: %s', async ([, one]) => {
    const {file, write, flags = [], refused}: FileKind = one;
    await write(join(folder, file));
    const ended = await cluster(file, flags);
    if (refused === undefined) return expectClusters(ended);
    const {code, stderr} = ended;
    const line = stderr.trimEnd();
    expect([code, line.split('\n').length]).toEqual([2, 1]);
    expect(line).toContain(refused);
    const [, pipe] = /: ([^:]*) \| epsball cluster -$/.exec(line) ?? [];
    if (pipe !== undefined) {
      const {stdout} = spawnSync('sh', ['-c', pipe], {cwd: folder, encoding: 'utf8'});
      return expectClusters(await cluster('-', flags, stdout));
    }
    const [, query] = /--sql "([^"]*)"$/.exec(line) ?? [];
    if (query !== undefined) return expectClusters(await cluster(`--sql=${query}`, []));
    expectClusters(await cluster(file, [...flags, ...(one.typed ?? flagsOf(line) ?? [])]));
  });
});
