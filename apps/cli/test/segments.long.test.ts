import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describeGpu} from '@epsball/gpu/testing';
import {meanShift} from '@epsball/mean-shift';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readPicture, writePicture, type Picture} from '../src/segment/imageFile.ts';
import {pointsOfPicture} from '../src/segment/pixels.ts';
import {runEpsball} from './runEpsball.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-segments-'));
});
afterAll(() => rmSync(folder, {recursive: true}));

/** 24 × 16 pixels. */
const PICTURES: Record<string, Picture> = {
  // One colour; two colours side by side, farther apart than a bandwidth; a slow gradient; noise.
  flat: draw(() => [90, 140, 200]),
  halves: draw((x) => (x < 12 ? [200, 40, 40] : [40, 60, 200])),
  gradient: draw((x, y) => [60 + 4 * x + y, 60 + 4 * x + y, 60 + 4 * x + y]),
  noise: draw((x, y) => [0, 1, 2].map((c) => 90 + (((x * 7919 + y * 104729 + c * 1299709) * 48271) % 61))),
};

function draw(color: (x: number, y: number) => readonly number[]): Picture {
  const [width, height] = [24, 16];
  const rows = Array.from({length: width * height}, (_, i) => color(i % width, Math.floor(i / width)));
  return {width, height, rgb: Uint8Array.from(rows.flat())};
}

/** The number of segments that the command reports. */
async function count(name: string, spatial: number, color: number, args: readonly string[]): Promise<number> {
  await writePicture(join(folder, `${name}.png`), PICTURES[name]);
  const scale = ['--spatial-bandwidth', String(spatial), '--color-bandwidth', String(color)];
  const ended = await runEpsball(['segment', `${name}.png`, ...scale, '--out', `${name}-out.png`, '--json', ...args], {
    cwd: folder,
  });
  expect(ended.code).toBe(0);
  return JSON.parse(ended.stdout).segments;
}

describe('the segments of a picture', () => {
  const backends = [
    ['sequential', 1, ['--backend', 'sequential']],
    ['workers', 1, ['--threads', '2']],
    // The Gaussian moves positions by a little more or less than a pixel.
    ['the Gaussian', 1.01, ['--backend', 'sequential', '--kernel', 'gaussian']],
  ] as const;

  it.each(backends)('are one for one colour, and two for two: %s', async (_, least, args) => {
    for (const [spatial, color] of [
      [3, 8],
      [least, 2],
      [40, 8],
    ]) {
      expect(await count('flat', spatial, color, args)).toBe(1);
      expect(await count('halves', spatial, color, args)).toBe(2);
    }
    expect(await readPicture(join(folder, 'flat-out.png'))).toEqual(PICTURES.flat);
  });

  it.each([
    ['gradient', 3, 8],
    ['noise', 3, 8],
    ['noise', 2, 5],
    ['noise', 4, 12],
  ] as const)(
    'are the basins whose modes are near in space and in colour: %s, %d, %d',
    async (name, spatial, color) => {
      const scale = {spatialBandwidth: spatial, colorBandwidth: color};
      const {shifted} = await meanShift(pointsOfPicture(PICTURES[name], scale), {
        bandwidth: 1,
        kernel: 'flat',
        tolerance: 0.01,
      });
      expect(await count(name, spatial, color, ['--backend', 'sequential'])).toBe(basins(shifted));
    },
  );

  /** Modes within a bandwidth in x, y and within a bandwidth in L*, a*, b*, and chains of them. */
  function basins(modes: Float64Array): number {
    const m = modes.length / 5;
    const isSeen = new Uint8Array(m);
    const d2 = (i: number, j: number, axes: readonly number[]): number =>
      axes.reduce((sum, d) => sum + (modes[5 * i + d] - modes[5 * j + d]) ** 2, 0);
    let chains = 0;
    for (let first = 0; first < m; first++) {
      if (isSeen[first] === 1) continue;
      chains++;
      const chain = [first];
      isSeen[first] = 1;
      for (const i of chain) {
        for (let j = 0; j < m; j++) {
          if (isSeen[j] === 1 || d2(i, j, [0, 1]) > 1 || d2(i, j, [2, 3, 4]) > 1) continue;
          isSeen[j] = 1;
          chain.push(j);
        }
      }
    }
    return chains;
  }
});

describeGpu('the segments of a picture on a GPU', () => {
  it('finds one segment in a picture of one colour, and two in one of two', async () => {
    for (const [spatial, color] of [
      [3, 8],
      [1, 2],
    ]) {
      expect(await count('flat', spatial, color, ['--backend', 'gpu'])).toBe(1);
      expect(await count('halves', spatial, color, ['--backend', 'gpu'])).toBe(2);
    }
    expect(await readPicture(join(folder, 'flat-out.png'))).toEqual(PICTURES.flat);
  });
});
