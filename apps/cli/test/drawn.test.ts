import type {Outline} from '@epsball/datasets/outlines';
import {describe, expect, it} from 'vitest';
import {drawOutlines} from '../src/plot/outlines.ts';
import {inPrincipalPlane} from '../src/plot/principalAxes.ts';
import {paintSegments} from '../src/segment/pixels.ts';

describe('a plot of more than two dimensions', () => {
  it('shows the plane of largest variance, and its shares', () => {
    // The variance is 16 along the first axis, 4 along the last and 0 along the second.
    const coords = Float64Array.of(-4, 7, -2, 4, 7, -2, -4, 7, 2, 4, 7, 2);
    const found = inPrincipalPlane({coords, dim: 3});
    expect(found?.axes).toEqual(['axis 1, 80.0 % of the variance', 'axis 2, 20.0 %']);
    expect(Array.from(found?.points.coords ?? [], Math.abs)).toEqual([4, 2, 4, 2, 4, 2, 4, 2]);
  });

  it.for([
    [1, 1, 1, 1, 1, 1],
    [1e200, 0, 0, 0, 1e200, 0],
  ])('keeps the first axes of %s', (coords) => {
    expect(inPrincipalPlane({coords: Float64Array.from(coords), dim: 3})).toBeUndefined();
  });
});

describe('a map', () => {
  const frame = {width: 100, height: 100, xRange: [0, 10], yRange: [40, 50], isEqual: true, scaleX: 10} as const;
  const outline = (...line: [number, number][]): Outline => ({
    line,
    min: [Math.min(...line.map(([x]) => x)), Math.min(...line.map(([, y]) => y))],
    max: [Math.max(...line.map(([x]) => x)), Math.max(...line.map(([, y]) => y))],
  });
  const pathOf = (...outlines: Outline[]): string | undefined => / d="(.*)"/.exec(drawOutlines(outlines, frame))?.[1];

  it('shows of outlines what lies inside', () => {
    expect(pathOf(outline([1, 41], [2, 42], [3, 41]))).toBe('M10 90L20 80L30 90');
    // Out on the right, and in again.
    expect(pathOf(outline([5, 45], [15, 45], [15, 46], [5, 46]))).toBe('M50 50L100 50M100 40L50 40');
    expect(pathOf(outline([-5, 45], [15, 45]), outline([3, 30], [3, 60]))).toBe('M0 50L100 50M30 100L30 0');
  });

  it('without a coast or without degrees has no outlines', () => {
    // Beside the corner, though its box is not.
    expect(drawOutlines([outline([-2, 49], [1, 51.5]), outline([20, 41], [30, 42])], frame)).toBe('');
    const metres = {...frame, xRange: [-9000, 9000]} as const;
    expect(drawOutlines([outline([1, 41], [2, 42])], metres)).toBe('');
  });
});

it('draws the borders of segments into a picture', () => {
  // Two segments: the left column, and the rest of 3 × 2 pixels.
  const picture = {width: 3, height: 2, rgb: new Uint8Array(18).fill(9)};
  const segments = {labels: Int32Array.of(0, 1, 1, 0, 1, 1), clusterCenters: new Float64Array(10)};
  const {rgb} = paintSegments(picture, segments, {spatialBandwidth: 1, colorBandwidth: 1}, 'borders');
  const [line, other] = [
    [255, 255, 0],
    [9, 9, 9],
  ];
  expect([...rgb]).toEqual([line, other, other, line, other, other].flat());
  expect(picture.rgb.every((byte) => byte === 9)).toBe(true);
});
