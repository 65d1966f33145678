import {spawnSync} from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {crc32} from 'node:zlib';
import {describeGpu} from '@epsball/gpu/testing';
import sharp from 'sharp';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readPicture, writePicture, type Picture} from '../src/segment/imageFile.ts';
import {runEpsball, type Ended, type RunOptions} from './runEpsball.ts';

let folder: string;

/** Three stripes of one colour each, with noise of a few steps: sky, wall, grass. */
const COLORS = [
  [120, 170, 230],
  [190, 90, 60],
  [60, 130, 50],
];

function stripes(width: number, height: number): Picture {
  const rgb = new Uint8Array(3 * width * height);
  let state = 1;
  for (let k = 0; k < rgb.length; k++) {
    state = (state * 48271) % 2147483647;
    const stripe = Math.floor((Math.floor(k / 3 / width) * 3) / height);
    rgb[k] = COLORS[stripe][k % 3] + (state % 7) - 3;
  }
  return {width, height, rgb};
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-segment-'));
  await writePicture(join(folder, 'stripes.png'), stripes(36, 24));
  await writePicture(join(folder, 'stripes.jpg'), stripes(36, 24));
  await writePicture(join(folder, 'large.png'), stripes(300, 300));
  writeFileSync(join(folder, 'text.png'), 'no picture');
  writeFileSync(join(folder, 'short.png'), readFileSync(join(folder, 'stripes.png')).subarray(0, 90));
  writeFileSync(join(folder, 'huge.png'), withSize(readFileSync(join(folder, 'stripes.png')), 100_000, 50_000));
  symlinkSync('/dev/zero', join(folder, 'zero.png'));
  spawnSync('mkfifo', [join(folder, 'pipe.png')]);
  // Sparse files, which take no space.
  writeFileSync(join(folder, 'sparse.png'), '');
  truncateSync(join(folder, 'sparse.png'), 1e12);
  writeFileSync(join(folder, 'long.png'), readFileSync(join(folder, 'stripes.png')));
  truncateSync(join(folder, 'long.png'), 1e12);
  writeFileSync(join(folder, 'short.jpg'), readFileSync(join(folder, 'stripes.jpg')).subarray(0, 90));
});

afterAll(() => rmSync(folder, {recursive: true}));

/** A PNG whose header claims another size. */
function withSize(png: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(width, 16);
  copy.writeUInt32BE(height, 20);
  copy.writeUInt32BE(crc32(copy.subarray(12, 29)), 29);
  return copy;
}

function segment(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return runEpsball(['segment', ...args], {cwd: folder, ...options});
}

const PARAMS = ['--spatial-bandwidth', '6', '--color-bandwidth', '20'];

/** The colours of a picture, each once, in the order of their first pixels. */
function colorsOf({rgb}: Picture): string[] {
  const all = Array.from({length: rgb.length / 3}, (_, i) => rgb.subarray(3 * i, 3 * i + 3).join());
  return [...new Set(all)];
}

/** The largest difference between a pixel of the painted picture and the colour of its stripe. */
function largestError({width, height, rgb}: Picture): number {
  let most = 0;
  for (let k = 0; k < rgb.length; k++) {
    const stripe = Math.floor((Math.floor(k / 3 / width) * 3) / height);
    most = Math.max(most, Math.abs(rgb[k] - COLORS[stripe][k % 3]));
  }
  return most;
}

describe('epsball segment', () => {
  it.each(['sequential', 'workers'])('paints each stripe in its own colours with the backend %s', async (backend) => {
    const {code, stdout, stderr} = await segment([
      'stripes.png',
      ...PARAMS,
      '--out',
      `${backend}.png`,
      '--backend',
      backend,
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^picture +36 × 24 pixels/);
    const painted = await readPicture(join(folder, `${backend}.png`));
    expect(colorsOf(painted).length).toBeLessThan(30);
    expect(largestError(painted)).toBeLessThan(4);
  });

  it('writes the same picture with both backends, and takes JPEG, the Gaussian and mean colours', async () => {
    expect(readFileSync(join(folder, 'workers.png'))).toEqual(readFileSync(join(folder, 'sequential.png')));
    const more = ['--kernel', 'gaussian', '--cut', '2', '--paint', 'mean', '--threads', '2', '--json'];
    const {code, stdout} = await segment(['stripes.jpg', ...PARAMS, '--out', 'mean.jpg', ...more]);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({input: 'stripes.jpg', width: 36, height: 24, backend: 'workers', adapter: null});
    expect(Object.keys(report.ms.phases)).toEqual(['index', 'shift', 'labels', 'paint']);
    expect(report.ms.total).toBeGreaterThan(report.ms.segment);
    expect(largestError(await readPicture(join(folder, 'mean.jpg')))).toBeLessThan(40);
  });

  it.each([true, false])(
    'shows on a terminal, and only there, its phase from reading to writing: %s',
    async (isTerminal) => {
      const args = ['stripes.png', ...PARAMS, '--out', 'shown.png', '--backend', 'workers'];
      // A bar shows after 400 ms, which reading then takes.
      const {code, stdout, stderr} = await segment(args, {isTerminal, slowFile: 'stripes.png'});
      expect(code).toBe(0);
      expect(stdout).toMatch(/^picture +36 × 24 pixels/);
      // Each line clears the one before it. The last one is cleared, too.
      const lines = stderr.split('\r\u001B[2K');
      expect(lines[0]).toBe('');
      expect(lines.at(-1)).toBe('');
      const phases = lines.slice(1, -1).map((line) => line.split(' ')[0]);
      expect([...new Set(phases)]).toEqual(isTerminal ? ['read', 'index', 'shift', 'labels', 'paint', 'write'] : []);
      // A slow run says how long it has taken.
      const atEnd = expect.stringMatching(/^shift {5}█{24} {2}100 %(?: {2}(?:\d+ s|\d+:\d\d))?$/);
      if (isTerminal) expect(lines).toContainEqual(atEnd);
    },
  );

  it.each(['sequential', 'workers'])(
    'ends on a signal within the current step with the backend %s',
    async (backend) => {
      // Two million colours: the index alone takes a second or more, in one piece.
      writeFileSync(join(folder, 'noise.png'), await noisePng(2000, 1000));
      const scale = ['--spatial-bandwidth', '1', '--color-bandwidth', '1'];
      const {code, stdout, stderr} = await segment(
        ['noise.png', ...scale, '--out', 'never.png', '--backend', backend],
        {
          isTerminal: true,
          whenStarted: (child) => {
            child.stderr?.on('data', (text: Buffer) => text.includes('index') && child.kill('SIGTERM'));
          },
        },
      );
      expect(stderr).toContain('index');
      expect(stderr).not.toContain('shift');
      expect(stderr).toMatch(/epsball: terminated\n$/);
      expect(code).toBe(143);
      expect(stdout).toBe('');
      expect(existsSync(join(folder, 'never.png'))).toBe(false);
    },
  );

  it('ends on Ctrl-C while it reads, and leaves no file', async () => {
    const before = readdirSync(folder);
    const {code, stdout, stderr} = await segment(['stripes.png', ...PARAMS, '--out', 'never.png'], {
      env: {EPSBALL_ADAPTER: ''},
      isTerminal: true,
      slowFile: 'stripes.png',
      whenStarted: (child) =>
        void child.stderr?.on('data', (text: Buffer) => text.includes('read') && child.kill('SIGINT')),
    });
    expect(stderr).toMatch(/epsball: interrupted\n$/);
    expect(stderr).not.toContain('index');
    expect(code).toBe(130);
    expect(stdout).toBe('');
    expect(readdirSync(folder)).toEqual(before);
  });
});

/** Every pixel of another colour than its neighbours. */
function noisePng(width: number, height: number): Promise<Buffer> {
  const rgb = new Uint8Array(3 * width * height);
  let state = 1;
  for (let k = 0; k < rgb.length; k++) rgb[k] = (state = (state * 48271) % 2147483647) >> 8;
  return sharp(rgb, {raw: {width, height, channels: 3}})
    .png({compressionLevel: 0})
    .toBuffer();
}

describe('epsball segment, misused, prints one line with the expectation and ends with 2', () => {
  it.each<[string, string[], string]>([
    ['no output', ['stripes.png', ...PARAMS], '--out = (not given); expected a file to write'],
    ['no bandwidth', ['stripes.png', '--out', 'a.png'], '--spatial-bandwidth = (not given); expected a finite number'],
    [
      'a wrong ending',
      ['stripes.png', ...PARAMS, '--out', 'a.gif'],
      'expected a file that ends in .png, .jpg or .jpeg',
    ],
    ['the input as output', ['stripes.png', ...PARAMS, '--out', 'stripes.png'], 'expected another file than the input'],
    ['a missing file', ['missing.png', ...PARAMS, '--out', 'a.png'], 'missing.png: cannot be read (ENOENT'],
    [
      'a file of another kind',
      ['text.png', ...PARAMS, '--out', 'a.png'],
      'text.png: is not a picture; expected PNG, JPEG, WebP, AVIF, GIF or TIFF',
    ],
    [
      'a device',
      ['zero.png', ...PARAMS, '--out', 'a.png'],
      'zero.png: is a device; expected a PNG, JPEG, WebP, AVIF, GIF or TIFF file',
    ],
    [
      'a named pipe',
      ['pipe.png', ...PARAMS, '--out', 'a.png'],
      'pipe.png: is a named pipe; expected a PNG, JPEG, WebP, AVIF, GIF or TIFF file',
    ],
    [
      'an endless file',
      ['sparse.png', ...PARAMS, '--out', 'a.png'],
      'sparse.png: is not a picture; expected PNG, JPEG, WebP, AVIF, GIF or TIFF',
    ],
    ['a huge file', ['long.png', ...PARAMS, '--out', 'a.png'], 'long.png: has 1000000000000 bytes; expected at most 8'],
    [
      'a folder',
      ['.', ...PARAMS, '--out', 'a.png'],
      '.: is a folder; expected a PNG, JPEG, WebP, AVIF, GIF or TIFF file',
    ],
    [
      'a tiny bandwidth',
      ['stripes.png', '--spatial-bandwidth', '6', '--color-bandwidth', '1e-300', '--out', 'a.png'],
      '--color-bandwidth = "1e-300"; expected a finite number ≥ 1e-9',
    ],
    ['a broken PNG', ['short.png', ...PARAMS, '--out', 'a.png'], 'short.png: is a broken picture ('],
    [
      'a PNG that claims to be huge',
      ['huge.png', ...PARAMS, '--out', 'a.png'],
      'huge.png: has more pixels than 200000000',
    ],
    ['a broken JPEG', ['short.jpg', ...PARAMS, '--out', 'a.png'], 'short.jpg: is a broken picture ('],
    [
      'a cut of the flat kernel',
      ['stripes.png', ...PARAMS, '--out', 'a.png', '--cut', '2'],
      '--cut = "2"; expected --kernel g',
    ],
    [
      'a cut below one bandwidth',
      ['stripes.png', ...PARAMS, '--out', 'a.png', '--kernel', 'gaussian', '--cut', '0.5'],
      '--cut = 0.5; expected 0 or a finite number ≥ 1',
    ],
    [
      'threads on one thread',
      ['stripes.png', ...PARAMS, '--out', 'a.png', '--backend', 'sequential', '--threads', '2'],
      '--threads = "2"; expected --backend workers or auto',
    ],
    [
      'an adapter without a GPU',
      ['stripes.png', ...PARAMS, '--out', 'a.png', '--backend', 'workers', '--adapter', 'software'],
      '--adapter = "software"; expected --backend gpu or auto',
    ],
  ])('%s', async (_, args, message) => {
    // Without a named adapter, because drivers print warnings.
    const {code, stdout, stderr} = await segment(args, {env: {EPSBALL_ADAPTER: ''}});
    expect(stderr).toMatch(/^epsball: [^\n]+\n$/);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'a.png'))).toBe(false);
  });
});

describeGpu('epsball segment on a GPU', () => {
  it('paints as the host does', async () => {
    const {code, stderr} = await segment(['stripes.png', ...PARAMS, '--out', 'gpu.png', '--backend', 'gpu']);
    expect(stderr.replaceAll(/^Warning: .*\n/gm, '')).toBe('');
    expect(code).toBe(0);
    expect(largestError(await readPicture(join(folder, 'gpu.png')))).toBeLessThan(4);
  });

  it('takes the adapter of the environment; --threads takes precedence', async () => {
    const env = {EPSBALL_ADAPTER: 'software'};
    const args = ['stripes.png', ...PARAMS, '--out', 'named.png', '--json'];
    const named = await segment(args, {env});
    expect(named.code).toBe(0);
    const report = JSON.parse(named.stdout);
    expect(report.backend).toBe('gpu');
    expect(report.adapter).toMatch(/\((system-software|bundled)\)$/);
    const onThreads = await segment([...args, '--threads', '2'], {env});
    expect(JSON.parse(onThreads.stdout)).toMatchObject({backend: 'workers', adapter: null});
    const unknown = await segment(args, {env: {EPSBALL_ADAPTER: 'fast'}});
    expect(unknown.stderr).toContain('EPSBALL_ADAPTER = "fast"; expected one of auto');
    expect(unknown.code).toBe(2);
  });
});
