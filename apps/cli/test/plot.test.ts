import {decode} from 'fast-png';
import {describe, expect, it} from 'vitest';
import type {PointSet} from '@epsball/clustering';
import {fitFrame, placeX, placeY} from '../src/plot/frame.ts';
import {assignColors, CLUSTER_COLORS, rgbOf} from '../src/plot/palette.ts';
import {rasterizePoints} from '../src/plot/raster.ts';
import {renderScatter} from '../src/plot/scatter.ts';
import {svgToPng} from '../src/plot/writePlot.ts';

const SQUARE: PointSet = {coords: new Float32Array([0, 0, 10, 0, 10, 10, 0, 10]), dim: 2};

/** n points on a circle, every third of them noise. */
function circle(n: number): {points: PointSet; labels: Int32Array} {
  const coords = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) coords.set([Math.cos(i), Math.sin(i)], 2 * i);
  return {points: {coords, dim: 2}, labels: Int32Array.from({length: n}, (_, i) => (i % 3 === 0 ? -1 : i % 2))};
}

/** The texts of a plot of one axis, in order. */
async function textsOf(coords: readonly number[]): Promise<string[]> {
  const points = {coords: Float64Array.from(coords), dim: 1};
  const svg = await renderScatter(points, new Int32Array(coords.length), {title: 't', note: 'n'});
  return Array.from(svg.matchAll(/>([^<]*)<\/text>/g), ([, text]) => text);
}

describe('an axis', () => {
  it.each([
    [
      [-0.2, 10.3],
      ['0', '1', '2', '10'],
    ],
    [
      [-2.5, 2.5],
      ['−2.5', '−0.5', '0.0', '2.5'],
    ],
    [
      [1, 3e300],
      ['1e+300', '2e+300'],
    ],
    [[3, 3], ['3.0']],
  ])('marks round numbers of %j', async (coords, labels) => {
    expect(await textsOf(coords)).toEqual(expect.arrayContaining(labels));
  });

  it('is short where numbers are long', async () => {
    for (const text of await textsOf([-8e307, 0, 3e306])) expect(text.length).toBeLessThan(60);
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
    expect(new Set(assignColors(spots)).size).toBe(CLUSTER_COLORS.length);
  });

  it('gives neighbours different colours when there are more clusters than colours', () => {
    const spots = Array.from({length: 200}, (_, label) => ({label, size: 5, x: label % 20, y: Math.floor(label / 20)}));
    const colors = assignColors(spots);
    for (let label = 1; label < 200; label++) {
      if (label % 20 !== 0) expect(colors[label]).not.toBe(colors[label - 1]);
    }
  });
});

describe('rasterizePoints', () => {
  it('leaves empty places transparent and draws every point', () => {
    const frame = fitFrame(SQUARE, 100);
    const png = rasterizePoints(SQUARE, new Int32Array([0, 0, 1, -1]), new Uint8Array([0, 1]), frame);
    const {width, height, data, palette = []} = decode(png);
    expect([width, height]).toEqual([2 * frame.width, 2 * frame.height]);
    const colorAt = (x: number, y: number): readonly number[] => palette[data[Math.floor(y) * width + Math.floor(x)]];
    expect(colorAt(width / 2, height / 2)).toEqual([0, 0, 0, 0]);
    const corners = [colorAt(0.03 * width, 0.97 * height), colorAt(0.97 * width, 0.03 * height)];
    expect(corners.map((color) => color.slice(0, 3))).toEqual([rgbOf(CLUSTER_COLORS[0]), rgbOf(CLUSTER_COLORS[1])]);
    expect(new Set(data).size).toBeGreaterThan(3);
  });

  it('stores opaque colours', () => {
    const points = {coords: new Float32Array(2000), dim: 2};
    const png = rasterizePoints(points, new Int32Array(1000), new Uint8Array([2]), fitFrame(points, 100));
    const {data, palette = []} = decode(png);
    expect(Array.from(new Set(data), (index) => palette[index])).toContainEqual([...rgbOf(CLUSTER_COLORS[2]), 255]);
  });
});

describe('renderScatter', () => {
  it.each([
    ['circles for few points', 1000, 'mark-symbol role-mark'],
    ['one picture for many points', 10_000, '<image'],
  ])('draws %s', async (_, n, element) => {
    const {points, labels} = circle(n);
    const svg = await renderScatter(points, labels, {title: 'a < b', note: 'n', eps: 0.1});
    expect(svg).toContain(element);
    expect(svg).toContain('a &lt; b');
    expect(svg).toContain(`${n.toLocaleString('en-US')} points · 2 clusters`);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toContain('NaN');
    expect(await renderScatter(points, labels, {title: 'a < b', note: 'n', eps: 0.1})).toBe(svg);
  });

  it.each([
    ['no point', {coords: new Float32Array(0), dim: 2}, new Int32Array(0)],
    ['a line', {coords: new Float32Array([0, 1, 2]), dim: 1}, new Int32Array([0, 0, -1])],
    ['far points', {coords: new Float64Array([-1e308, 0, 1e308, 1]), dim: 2}, new Int32Array([-1, 0])],
    ['close points', {coords: new Float64Array([0, 0, 1e-320, 1e-320]), dim: 2}, new Int32Array([-1, 0])],
    ['four dimensions', {coords: new Float64Array([0, 1, 2, 3, 1, 1, 1, 1]), dim: 4}, new Int32Array([-1, -1])],
  ])('draws %s', async (_, points: PointSet, labels) => {
    expect(await renderScatter(points, labels, {title: 'edge', note: 'n', eps: 1})).not.toMatch(/NaN|Infinity/);
  });

  it('is rendered as a PNG of twice its size', async () => {
    const {points, labels} = circle(5000);
    const png = Buffer.from(await svgToPng(await renderScatter(points, labels, {title: 'circle', note: 'n'})));
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(600);
    expect([...decode(png).data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  });

  it('shows the names of columns as text', async () => {
    const columns = ['<b>"a" & b</b>', 'longitude'];
    const svg = await renderScatter(SQUARE, new Int32Array(4), {title: '$& $1', note: 'n', columns});
    expect(svg).toContain('>&lt;b&gt;"a" &amp; b&lt;/b&gt;</text>');
    expect(svg).toContain('>longitude</text>');
    expect(svg).toContain('aria-label="$&amp; $1: 4 points');
  });
});
