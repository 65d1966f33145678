import {inflateSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {PointSet} from '@epsball/clustering';
import {fitFrame, placeX, placeY} from '../src/plot/frame.ts';
import {COLOR_COUNT} from '@epsball/clustering/palette';
import {assignColors} from '../src/plot/palette.ts';
import {encodeIndexedPng} from '../src/plot/pngFile.ts';
import {rasterizePoints} from '../src/plot/raster.ts';
import {renderScatter} from '../src/plot/scatter.ts';
import {niceTicks} from '../src/plot/ticks.ts';
import {svgToPng} from '../src/plot/writePlot.ts';

const SQUARE: PointSet = {coords: new Float32Array([0, 0, 10, 0, 10, 10, 0, 10]), dim: 2};

/** n points on a circle, every third of them noise. */
function circle(n: number): {points: PointSet; labels: Int32Array} {
  const coords = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) coords.set([Math.cos(i), Math.sin(i)], 2 * i);
  return {points: {coords, dim: 2}, labels: Int32Array.from({length: n}, (_, i) => (i % 3 === 0 ? -1 : i % 2))};
}

describe('niceTicks', () => {
  it('marks round numbers', () => {
    expect(niceTicks(-0.2, 10.3, 5)).toEqual([0, 5, 10].map((value) => ({value, label: String(value)})));
    expect(niceTicks(0.11, 0.38, 3).map(({label}) => label)).toEqual(['0.2', '0.3']);
    expect(niceTicks(-2.5, 2.5, 5).map(({label}) => label)).toEqual(['−2', '−1', '0', '1', '2']);
  });

  it('has one mark for a range of one value', () => {
    expect(niceTicks(3, 3, 5).map(({value}) => value)).toEqual([3]);
  });

  it('gives marks at large coordinates different labels', () => {
    expect(new Set(niceTicks(1e9, 1e9 + 10, 5).map(({label}) => label)).size).toBe(6);
  });
});

describe('fitFrame', () => {
  it('gives both axes the same scale, so that eps is a circle', () => {
    const frame = fitFrame({coords: new Float32Array([0, 0, 20, 10]), dim: 2}, 900);
    expect(frame.isEqual).toBe(true);
    expect(frame.width).toBe(900);
    expect(frame.height).toBe(450);
  });

  it('stretches data whose plot would be too thin', () => {
    expect(fitFrame({coords: new Float32Array([0, 0, 1000, 1]), dim: 2}, 900).isEqual).toBe(false);
  });

  it.each([
    ['no point', {coords: new Float32Array(0), dim: 2}],
    ['one point', {coords: new Float32Array([5, 7]), dim: 2}],
    ['a line', {coords: new Float32Array([1, 2, 3]), dim: 1}],
    ['close points', {coords: new Float64Array([0, 0, 1e-320, 1e-320]), dim: 2}],
    ['far points', {coords: new Float64Array([-1e308, 0, 1e308, 1]), dim: 2}],
  ])('places %s inside the plot', (_, points: PointSet) => {
    const frame = fitFrame(points, 900);
    expect(frame.width).toBeGreaterThan(0);
    expect(frame.height).toBeGreaterThan(0);
    for (let i = 0; i < points.coords.length / points.dim; i++) {
      expect(placeX(frame, points, i)).toBeGreaterThanOrEqual(0);
      expect(placeX(frame, points, i)).toBeLessThanOrEqual(frame.width);
      expect(placeY(frame, points, i)).toBeGreaterThanOrEqual(0);
      expect(placeY(frame, points, i)).toBeLessThanOrEqual(frame.height);
    }
  });
});

describe('assignColors', () => {
  it('gives up to ten clusters ten colours', () => {
    const spots = Array.from({length: 10}, (_, label) => ({label, size: 5, x: label, y: 0}));
    expect(new Set(assignColors(spots)).size).toBe(COLOR_COUNT);
  });

  it('gives neighbours different colours when there are more clusters than colours', () => {
    const spots = Array.from({length: 200}, (_, label) => ({label, size: 5, x: label % 20, y: Math.floor(label / 20)}));
    const colors = assignColors(spots);
    for (let label = 1; label < 200; label++) {
      if (label % 20 !== 0) expect(colors[label]).not.toBe(colors[label - 1]);
    }
  });
});

describe('encodeIndexedPng', () => {
  it('stores the palette and every row', () => {
    const palette = new Uint8Array([0, 0, 0, 0, 255, 128, 1, 200]);
    const png = Buffer.from(encodeIndexedPng({width: 2, height: 2, pixels: new Uint8Array([0, 1, 1, 0]), palette}));
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    expect([...rows]).toEqual([0, 0, 1, 0, 1, 0]);
    expect([...png.subarray(png.indexOf('PLTE') + 4).subarray(0, 6)]).toEqual([0, 0, 0, 255, 128, 1]);
  });
});

describe('rasterizePoints', () => {
  it('leaves empty places transparent and draws every point', () => {
    const frame = fitFrame(SQUARE, 100);
    const image = rasterizePoints(SQUARE, new Int32Array([0, 0, 1, -1]), new Uint8Array([0, 1]), frame);
    const centre = image.pixels[(image.height / 2) * image.width + image.width / 2];
    expect(image.palette[4 * centre + 3]).toBe(0);
    expect(new Set(image.pixels).size).toBeGreaterThan(3);
  });
});

describe('renderScatter', () => {
  it.each([
    ['circles for few points', 1000, '<circle'],
    ['one picture for many points', 10_000, '<image'],
  ])('draws %s', (_, n, element) => {
    const {points, labels} = circle(n);
    const svg = renderScatter(points, labels, {title: 'a < b', eps: 0.1, theme: 'auto'});
    expect(svg).toContain(element);
    expect(svg).toContain('a &lt; b');
    expect(svg).toContain(`${n.toLocaleString('en-US')} points · 2 clusters`);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toContain('NaN');
  });

  it.each([
    ['no point', {coords: new Float32Array(0), dim: 2}, new Int32Array(0)],
    ['a line', {coords: new Float32Array([0, 1, 2]), dim: 1}, new Int32Array([0, 0, -1])],
    ['far points', {coords: new Float64Array([-1e308, 0, 1e308, 1]), dim: 2}, new Int32Array([-1, 0])],
    ['close points', {coords: new Float64Array([0, 0, 1e-320, 1e-320]), dim: 2}, new Int32Array([-1, 0])],
    ['four dimensions', {coords: new Float64Array([0, 1, 2, 3, 1, 1, 1, 1]), dim: 4}, new Int32Array([-1, -1])],
  ])('draws %s', (_, points: PointSet, labels) => {
    expect(renderScatter(points, labels, {title: 'edge', eps: 1, theme: 'auto'})).not.toContain('NaN');
  });

  it('is rendered as a PNG of twice its size', async () => {
    const {points, labels} = circle(5000);
    const png = Buffer.from(await svgToPng(renderScatter(points, labels, {title: 'circle', theme: 'light'})));
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(600);
  });
});
