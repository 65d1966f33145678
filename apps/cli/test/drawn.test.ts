import {describe, expect, it} from 'vitest';
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
