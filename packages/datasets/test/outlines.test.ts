import {expect, it} from 'vitest';
import {loadOutlines} from '../src/outlines.ts';

it('loads coasts and borders as lines within their boxes, without the edges of the map', async () => {
  const outlines = await loadOutlines();
  expect(outlines.length).toBeGreaterThan(1000);
  const segments = outlines.flatMap(({line}) => line.slice(1).map((to, k) => [line[k], to] as const));
  expect(Math.max(...segments.map(([[from], [to]]) => Math.abs(to - from)))).toBeLessThan(20);
  expect(segments.filter(([[from], [to]]) => Math.min(Math.abs(from), Math.abs(to)) > 179.999)).toEqual([]);
  expect(segments.filter(([[, from], [, to]]) => Math.min(from, to) < -85 && from === to)).toEqual([]);
  for (const {line, min, max} of outlines) {
    expect(line.length).toBeGreaterThan(1);
    expect(min).toEqual([0, 1].map((axis) => Math.min(...line.map((place) => place[axis]))));
    expect(max).toEqual([0, 1].map((axis) => Math.max(...line.map((place) => place[axis]))));
  }
});

it('has Land’s End, and nothing in the middle of an ocean', async () => {
  const outlines = await loadOutlines();
  const near = (longitude: number, latitude: number, degrees: number): boolean =>
    outlines.some(({line}) => line.some(([x, y]) => Math.hypot(x - longitude, y - latitude) < degrees));
  expect([near(-5.72, 50.07, 0.2), near(-40, 30, 5)]).toEqual([true, false]);
});
