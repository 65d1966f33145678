import {spawn, spawnSync} from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {extname, join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {afterAll, beforeAll, beforeEach, describe, expect, it} from 'vitest';
import {BIN} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

/** A way to write a file. */
interface Output {
  readonly name: string;
  readonly ending: string;
  /** Files that the command reads. */
  readonly inputs: readonly string[];
  readonly args: (out: string) => readonly string[];
}

const DBSCAN = ['--eps', '0.2', '--min-pts', '3'];
const HDBSCAN = ['--min-cluster-size', '5'];
const BANDWIDTHS = ['--spatial-bandwidth', '2', '--color-bandwidth', '8', '--backend', 'sequential'];

const cluster = (flag: string, ending: string): Output => ({
  name: `cluster ${flag} ${ending}`,
  ending,
  inputs: ['in.csv'],
  args: (out) => ['cluster', at('in.csv'), ...DBSCAN, '--backend', 'sequential', flag, out],
});

const hdbscan = (flag: string, ending: string): Output => ({
  name: `hdbscan ${flag} ${ending}`,
  ending,
  inputs: ['in.csv'],
  args: (out) => ['hdbscan', at('in.csv'), ...HDBSCAN, '--backend', 'sequential', flag, out],
});

const generate = (ending: string): Output => ({
  name: `generate --out ${ending}`,
  ending,
  inputs: [],
  args: (out) => ['generate', `moons:n=50${ending === '.f32' ? ',precision=float32' : ''}`, '--out', out],
});

const OUTPUTS: readonly Output[] = [
  ...['.npy', '.parquet', '.geojson'].map((ending) => cluster('--out', ending)),
  cluster('--plot', '.svg'),
  cluster('--save-model', '.arrow'),
  hdbscan('--out', '.csv'),
  hdbscan('--plot', '.svg'),
  hdbscan('--tree', '.svg'),
  hdbscan('--reachability', '.svg'),
  hdbscan('--save-model', '.arrow'),
  hdbscan('--memberships', '.parquet'),
  {
    name: 'scale run --out .npy',
    ending: '.npy',
    inputs: ['in.csv'],
    args: (out) => ['scale', 'run', at('in.csv'), ...DBSCAN, '--work', mkdtempSync(at('work-')), '--out', out],
  },
  {
    name: 'predict --out .csv',
    ending: '.csv',
    inputs: ['in.csv', 'model.arrow'],
    args: (out) => ['predict', at('model.arrow'), at('in.csv'), '--out', out],
  },
  {
    name: 'validity --out .parquet',
    ending: '.parquet',
    inputs: ['in.csv', 'labels.txt'],
    args: (out) => ['validity', at('labels.txt'), at('in.csv'), '--out', out],
  },
  {
    name: 'graph --out .parquet',
    ending: '.parquet',
    inputs: ['edges.csv'],
    args: (out) => ['graph', at('edges.csv'), '--min-pts', '2', '--out', out],
  },
  {
    name: 'suggest --plot .svg',
    ending: '.svg',
    inputs: ['in.csv'],
    args: (out) => ['suggest', at('in.csv'), '--min-pts', '3', '--plot', out],
  },
  {
    name: 'segment --out .png',
    ending: '.png',
    inputs: ['in.png'],
    args: (out) => ['segment', at('in.png'), ...BANDWIDTHS, '--out', out],
  },
  ...['.f32', '.h5'].map(generate),
];

function at(name: string): string {
  return join(folder, name);
}

/** Whether a file begins as its ending says, and not with the old content. */
function expectWritten(path: string, ending = extname(path)): void {
  const content = readFileSync(path);
  expect(content.length).toBeGreaterThan(20);
  const starts: Readonly<Record<string, string>> = {
    '.npy': '\u0093NUMPY',
    '.csv': '',
    '.json': '{"clusterCount"',
    '.parquet': 'PAR1',
    '.geojson': '{"type":"FeatureCollection"',
    '.svg': '<svg',
    '.png': '\u0089PNG',
    '.arrow': 'ARROW1',
    '.h5': '\u0089HDF',
    '.f32': '',
  };
  expect(content.toString('latin1').startsWith(starts[ending])).toBe(true);
  expect(content.toString('latin1').startsWith('old')).toBe(false);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-rules-'));
  await runMain(['generate', 'moons:n=200', '--out', at('in.csv')]);
  await runMain(['cluster', at('in.csv'), ...DBSCAN, '--save-model', at('model.arrow')]);
  writeFileSync(at('labels.txt'), '0\n1\n'.repeat(100));
  writeFileSync(at('edges.csv'), 'from,to\n0,1\n1,2\n');
  const {default: sharp} = await import('sharp');
  const white = {width: 6, height: 4, channels: 3, background: 'white'} as const;
  await sharp({create: white}).png().toFile(at('in.png'));
});

afterAll(() => rmSync(folder, {recursive: true}));

describe.each(OUTPUTS)('$name', ({ending, inputs, args}) => {
  const name = `out${ending}`;
  let out: string;

  beforeEach(() => {
    out = join(mkdtempSync(at('case-')), name);
  });

  const beside = (): string[] => readdirSync(join(out, '..'));

  it('makes a new file of the usual mode, and nothing else', async () => {
    expect(await runMain(args(out))).toMatchObject({code: 0, stderr: ''});
    expectWritten(out);
    writeFileSync(at('usual'), '');
    expect(statSync(out).mode).toBe(statSync(at('usual')).mode);
    expect(beside()).toEqual([name]);
  });

  it('keeps the mode of an old file', async () => {
    writeFileSync(out, 'old');
    chmodSync(out, 0o600);
    expect(await runMain(args(out))).toMatchObject({code: 0, stderr: ''});
    expectWritten(out);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(beside()).toEqual([name]);
  });

  it('writes through a symbolic link, and through one whose target is missing', async () => {
    for (const content of ['old', undefined]) {
      const target = join(out, '..', `target-${content}`);
      if (content !== undefined) writeFileSync(target, content);
      symlinkSync(target, out);
      expect(await runMain(args(out))).toMatchObject({code: 0, stderr: ''});
      expect(lstatSync(out).isSymbolicLink()).toBe(true);
      expectWritten(target, ending);
      unlinkSync(out);
    }
  });

  it('writes to a named pipe', async () => {
    spawnSync('mkfifo', [out]);
    const reader = spawn('cat', [out], {stdio: ['ignore', 'pipe', 'inherit']});
    const [content, ended] = await Promise.all([buffer(reader.stdout), runMain(args(out))]);
    expect(ended).toMatchObject({code: 0, stderr: ''});
    expect(lstatSync(out).isFIFO()).toBe(true);
    writeFileSync(at('piped'), content);
    expectWritten(at('piped'), ending);
  });

  it('writes to standard output, and leaves the file behind it', async () => {
    symlinkSync('/dev/stdout', out);
    const log = join(out, '..', 'log');
    writeFileSync(log, 'first\n');
    const {ino} = statSync(log);
    const descriptor = openSync(log, 'a');
    const {status, stderr} = spawnSync(process.execPath, [BIN, ...args(out)], {
      stdio: ['ignore', descriptor, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(descriptor);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(statSync(log).ino).toBe(ino);
    expect(beside().toSorted()).toEqual(['log', name]);
    const [first, ...rest] = readFileSync(log, 'latin1').split('\n');
    expect(first).toBe('first');
    writeFileSync(at('logged'), rest.join('\n'), 'latin1');
    expectWritten(at('logged'), ending);
  });

  it.each(['folder', 'device', 'missing folder'])('refuses a %s', async (kind) => {
    if (kind === 'folder') mkdirSync(out);
    if (kind === 'device') symlinkSync('/dev/null', out);
    const path = kind === 'missing folder' ? join(out, '..', 'no', name) : out;
    const {code, stderr} = await runMain(args(path));
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(code).toBe(kind === 'device' ? 1 : 2);
    if (kind !== 'missing folder') expect(beside()).toEqual([name]);
    if (kind === 'device') expect(lstatSync(out).isSymbolicLink()).toBe(true);
  });

  if (inputs.length === 0) return;
  it('is never an input, by any name', async () => {
    for (const input of inputs) {
      const before = readFileSync(at(input));
      for (const link of [linkSync, symlinkSync]) {
        link(at(input), out);
        const {code, stderr} = await runMain(args(out));
        expect(stderr).toMatch(/^epsball: --[a-z-]+ = "[^"]*"; expected another file than the input[^\n]*\n$/);
        expect(code).toBe(2);
        expect(readFileSync(at(input)).equals(before)).toBe(true);
        expect(beside()).toEqual([name]);
        unlinkSync(out);
      }
    }
  });
});
