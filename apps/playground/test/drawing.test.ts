import {describe, expect, it} from 'vitest';
import {generateDataset} from '@epsball/datasets';
import {mapOf, NO_ZOOM, type Zoom} from '../src/draw/camera.ts';
import {drawPoints} from '../src/draw/drawPoints.ts';
import {packColour, paletteOf, SURFACE} from '../src/draw/palette.ts';
import {NO_LABEL, type DrawnPoints, type Picture} from '../src/draw/picture.ts';

const {coords, dim} = generateDataset('varied:n=20000');
const n = coords.length / dim;
const points: DrawnPoints = {
  coords: Float32Array.from(coords),
  labels: Int32Array.from({length: n}, (_, i) => (i % 7) - 2),
};
const box = {min: [-3, -3], max: [3, 3]} as const;
const palette = paletteOf('dark');
const BACKGROUND = [0x14, 0x16, 0x1b, 0xff];

function pictureOf(changes: Partial<Picture> = {}, zoom: Zoom = NO_ZOOM): Picture {
  const [width, height] = [changes.width ?? 203, changes.height ?? 151];
  return {
    ...mapOf(box, zoom, width, height, 1),
    width,
    height,
    radius: 0.8,
    opacity: 0.5,
    background: packColour(SURFACE.dark),
    step: 1,
    selected: NO_LABEL,
    ...changes,
  };
}

/** Pixels that are not the background. */
function covered(bytes: Uint8ClampedArray): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 4) if (BACKGROUND.some((byte, c) => bytes[at + c] !== byte)) count++;
  return count;
}

describe('a picture of points', () => {
  it('is the background alone without points', () => {
    const none = {coords: new Float32Array(0), labels: new Int32Array(0)};
    const bytes = drawPoints(none, palette, pictureOf({width: 5, height: 3}));
    expect(Array.from(bytes.subarray(0, 4))).toEqual(BACKGROUND);
  });

  it('does not depend on the order of the points', () => {
    const turned = {coords: points.coords.slice(), labels: points.labels.toReversed()};
    for (let i = 0; i < n; i++) turned.coords.set(points.coords.subarray(2 * i, 2 * i + 2), 2 * (n - 1 - i));
    const [one, other] = [points, turned].map((some) => drawPoints(some, palette, pictureOf()));
    for (const [k, byte] of one.entries()) expect(Math.abs(byte - other[k])).toBeLessThanOrEqual(1);
  });

  it('puts a point where the view maps it, in the colour of its set', () => {
    const one = {coords: Float32Array.of(0, 0), labels: Int32Array.of(0)};
    const bytes = drawPoints(one, palette, pictureOf({radius: 3, opacity: 0.99}));
    const centre = 4 * (75 * 203 + 101);
    for (let c = 0; c < 3; c++) expect(bytes[centre + c] / 255).toBeCloseTo(palette[4 * 3 + c], 1);
    expect(covered(bytes)).toBeGreaterThan(25);
    expect(covered(bytes)).toBeLessThan(50);
  });

  it('shows fewer points by steps, and one cluster among pale ones', () => {
    expect(covered(drawPoints(points, palette, pictureOf({step: 5})))).toBeLessThan(
      covered(drawPoints(points, palette, pictureOf())),
    );
    const [all, one] = [NO_LABEL, 3].map((selected) => new Set(drawPoints(points, palette, pictureOf({selected}))));
    expect(one).not.toEqual(all);
  });

  it('leaves out points outside the view and those that are not numbers', () => {
    const far = {coords: Float32Array.of(1e9, 0, NaN, 0), labels: Int32Array.of(0, 0)};
    expect(covered(drawPoints(far, palette, pictureOf()))).toBe(0);
  });
});
