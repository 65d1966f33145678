import {describe, expect, it} from 'vitest';
import {generateDataset} from '@epsball/datasets';
import {zoomIdentity} from 'd3-zoom';
import {mapOf} from '../src/draw/camera.ts';
import {PointRaster} from '../src/draw/drawPoints.ts';
import {paletteOf} from '../src/draw/palette.ts';
import {NO_LABEL, type DrawnPoints, type Picture} from '../src/draw/picture.ts';

const {coords, dim} = generateDataset('varied:n=20000');
const n = coords.length / dim;
const points: DrawnPoints = {
  coords: Float32Array.from(coords),
  labels: Int32Array.from({length: n}, (_, i) => (i % 7) - 2),
};
const box = {min: [-3, -3], max: [3, 3]} as const;
const palette = paletteOf('dark');

function pictureOf(changes: Partial<Picture> = {}): Picture {
  const [width, height] = [changes.width ?? 203, changes.height ?? 151];
  return {
    ...mapOf(box, zoomIdentity, width, height, 1),
    width,
    height,
    radius: 0.8,
    opacity: 0.5,
    step: 1,
    selected: NO_LABEL,
    ...changes,
  };
}

/** The picture, of points that are added in two parts. */
function drawPoints(some: DrawnPoints, colors: Float32Array, picture: Picture): Uint8ClampedArray<ArrayBuffer> {
  const raster = new PointRaster();
  raster.begin(some, colors, picture);
  raster.add(some.labels.length >> 1);
  expect(raster.add(some.labels.length)).toBe(false);
  return raster.finish();
}

/** Different colours, whatever their opacity. */
function colours(bytes: Uint8ClampedArray<ArrayBuffer>): number {
  return new Set(new Uint32Array(bytes.buffer).map((word) => word & 0xffffff)).size;
}

/** Pixels that are not transparent. */
function covered(bytes: Uint8ClampedArray): number {
  return bytes.filter((byte, k) => k % 4 === 3 && byte > 0).length;
}

describe('a picture of points', () => {
  it('is transparent without points', () => {
    const none = {coords: new Float32Array(0), labels: new Int32Array(0)};
    const bytes = drawPoints(none, palette, pictureOf({width: 5, height: 3}));
    expect(Array.from(bytes)).toEqual(Array(60).fill(0));
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
    const [all, one] = [NO_LABEL, 3].map((selected) => colours(drawPoints(points, palette, pictureOf({selected}))));
    expect(one).toBeLessThan(all / 2);
  });

  it('draws the part of a point beside the edge that is seen, and nothing at the other edge', () => {
    const radius = 6;
    const {scale, shift} = pictureOf();
    // Places on the screen around the corners, a little outside.
    const places = [
      [-5, -5],
      [208, 75],
      [101, 156],
      [-5, 75],
    ];
    for (const [x, y] of places) {
      const place = Float32Array.of((x - shift[0]) / scale[0], (y - shift[1]) / scale[1]);
      const bytes = drawPoints({coords: place, labels: Int32Array.of(0)}, palette, pictureOf({radius, opacity: 0.99}));
      for (let at = 0; at < bytes.length / 4; at++) {
        const distance = Math.hypot((at % 203) + 0.5 - x, Math.floor(at / 203) + 0.5 - y);
        if (distance < radius - 1) expect(bytes[4 * at + 3]).toBeGreaterThan(0);
        if (distance > radius + 1) expect(bytes[4 * at + 3]).toBe(0);
      }
    }
  });

  it('leaves out points outside the view and those that are not numbers', () => {
    const far = {coords: Float32Array.of(1e9, 0, NaN, 0), labels: Int32Array.of(0, 0)};
    expect(covered(drawPoints(far, palette, pictureOf()))).toBe(0);
  });
});
