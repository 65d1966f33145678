import {describe, expect, it} from 'vitest';
import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS, rgbOf, type Tone} from '../src/palette.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Of linear RGB, at full severity. @source Machado, Oliveira, Fernandes 2009, Table 1 */
const DEUTERANOPIA: Matrix = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
];
const PROTANOPIA: Matrix = [
  [0.152286, 1.052583, -0.204868],
  [0.114503, 0.786281, 0.099216],
  [-0.003882, -0.048116, 1.051998],
];
const LUMINANCE: Triple = [0.2126, 0.7152, 0.0722];
/** Linear RGB to the cones of OKLab, and their cube roots to L, a and b. @source Björn Ottosson 2020 */
const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** As readers see colours, and how far two stay apart at least, in OKLab. */
const SEEN: readonly (readonly [name: string, see: (rgb: Triple) => Triple, apart: number])[] = [
  ['normal vision', (rgb) => rgb, 0.13],
  ['deuteranopia', (rgb) => clipped(times(DEUTERANOPIA, rgb)), 0.095],
  ['protanopia', (rgb) => clipped(times(PROTANOPIA, rgb)), 0.095],
  ['grey', (rgb) => [dot(LUMINANCE, rgb), dot(LUMINANCE, rgb), dot(LUMINANCE, rgb)], 0.04],
];

const PAGES: Readonly<Record<Tone, string>> = {light: '#ffffff', dark: '#14171b'};

describe.each(['light', 'dark'] as const)('the colours of clusters, %s', (tone) => {
  const colors = CLUSTER_COLORS[tone].map(linear);

  it.each(SEEN)('stay apart, and apart from noise, in %s', (_, see, apart) => {
    const labs = [...colors, linear(NOISE_COLORS[tone])].map((color) => oklab(see(color)));
    expect(labs.length).toBe(COLOR_COUNT + 1);
    for (const [k, lab] of labs.entries()) {
      for (let other = 0; other < k; other++) {
        expect(distance(lab, labs[other]), `${other} and ${k}`).toBeGreaterThan(apart);
      }
    }
  });

  it('stand out from the page, and noise less than any', () => {
    const page = linear(PAGES[tone]);
    const least = Math.min(...colors.map((color) => contrast(color, page)));
    expect(least).toBeGreaterThan(3);
    expect(contrast(linear(NOISE_COLORS[tone]), page)).toBeLessThan(least);
    expect(contrast(linear(NOISE_COLORS[tone]), page)).toBeGreaterThan(1.5);
  });
});

it('the distances are those of OKLab', () => {
  expect(oklab([1, 1, 1])[0]).toBeCloseTo(1, 5);
  // oklch(0.62796 0.25768 29.234) is red.
  const [lightness, a, b] = oklab(linear('#ff0000'));
  expect([lightness, Math.hypot(a, b)]).toEqual([expect.closeTo(0.62796, 4), expect.closeTo(0.25768, 4)]);
});

function linear(color: string): Triple {
  const [red, green, blue] = rgbOf(color).map((byte) => {
    const x = byte / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return [red, green, blue];
}

function oklab(rgb: Triple): Triple {
  const [long, middle, short] = times(CONES, rgb);
  return times(OKLAB, [Math.cbrt(long), Math.cbrt(middle), Math.cbrt(short)]);
}

function times([first, second, third]: Matrix, vector: Triple): Triple {
  return [dot(first, vector), dot(second, vector), dot(third, vector)];
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function clipped([red, green, blue]: Triple): Triple {
  const clip = (x: number): number => Math.min(1, Math.max(0, x));
  return [clip(red), clip(green), clip(blue)];
}

function distance(a: Triple, b: Triple): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** As WCAG 2 defines it. */
function contrast(a: Triple, b: Triple): number {
  const [low, high] = [dot(LUMINANCE, a), dot(LUMINANCE, b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
