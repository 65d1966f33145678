import {squaredEps} from '@epsball/clustering';
import {nextAfter, seededRandom, uniform} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {planTiling} from '../src/tiling/planTiling.ts';
import {reachOf} from '../src/tiling/reach.ts';
import {routePoints} from '../src/tiling/router.ts';
import {refineTiling, tileBoxes, tilingFromCuts, type TileBox} from '../src/tiling/tiling.ts';

describe('reachOf', () => {
  it.each([1, 0.1, 1 / 3, 1e-3, 7.7, 1e-200, 1e-161, 3e-162, 5e-324, 1e154, 1.3407807929942596e154])(
    '%d is the last difference whose square is accepted',
    (eps) => {
      const reach = reachOf(eps);
      expect(reach * reach <= squaredEps(eps)).toBe(true);
      expect(nextAfter(reach, 1) ** 2 <= squaredEps(eps)).toBe(false);
      expect(reach).toBeGreaterThanOrEqual(eps);
    },
  );

  it('is infinite where eps² overflows', () => {
    expect(reachOf(1e200)).toBe(Infinity);
  });
});

describe('routePoints', () => {
  it('names the owner first, and the tiles whose boxes are within reach', () => {
    const random = seededRandom(7);
    const points = uniform('float64', 3, 500, 3);
    const eps = 0.11;
    const tiling = planTiling(points, {eps, rowCount: 500, capacity: 60, minWidth: 0});
    expect(tiling.tileCount).toBeGreaterThan(10);
    const boxes = tileBoxes(tiling);
    // Some points lie on cuts.
    for (let i = 0; i < 500; i += 3) {
      const cut = tiling.cuts[Math.floor(random() * tiling.cuts.length)];
      points.coords[3 * i + cut.axis] = cut.at;
    }
    const routed = routePoints(tiling, reachOf(eps), points.coords);
    for (let i = 0; i < 500; i++) {
      const point = [...points.coords.subarray(3 * i, 3 * i + 3)];
      const found = [...routed.tiles].filter((_, k) => routed.points[k] === i);
      expect(boxes.map((box, tile) => (owns(box, point) ? tile : -1)).filter((tile) => tile >= 0)).toEqual([found[0]]);
      const inReach = boxes.map((box, tile) => (isWithin(box, point, eps) ? tile : -1)).filter((tile) => tile >= 0);
      expect(found.toSorted((a, b) => a - b)).toEqual(inReach);
    }
  });
});

describe('planTiling', () => {
  it('keeps every tile below the capacity', () => {
    const points = uniform('float32', 2, 20_000, 1);
    const tiling = planTiling(points, {eps: 0.01, rowCount: 2_000_000, capacity: 100_000});
    const {tiles} = routePoints(tiling, reachOf(0.01), points.coords);
    const counts = Array.from({length: tiling.tileCount}, (_, tile) => tiles.filter((one) => one === tile).length);
    expect(100 * Math.max(...counts)).toBeLessThanOrEqual(100_000);
    expect(tiling.tileCount).toBeLessThan(40);
  });

  it('cuts no box that is narrower than twice eps', () => {
    const points = uniform('float64', 2, 1000, 1);
    expect(planTiling(points, {eps: 0.6, rowCount: 1000, capacity: 10}).tileCount).toBe(1);
  });

  it('cuts no duplicates, and keeps one tile of no points', () => {
    const same = {dim: 2, coords: new Float64Array(200).fill(3)};
    expect(planTiling(same, {eps: 1e-9, rowCount: 100, capacity: 10, minWidth: 0}).tileCount).toBe(1);
    const none = {dim: 2, coords: new Float64Array(0)};
    expect(planTiling(none, {eps: 1, rowCount: 0, capacity: 10, minTiles: 4})).toEqual({
      dim: 2,
      cuts: [],
      tileCount: 1,
    });
  });
});

describe('refineTiling', () => {
  it('divides one tile and keeps the numbers of the others', () => {
    const outer = tilingFromCuts(1, {axis: 0, at: 0, below: undefined, above: undefined});
    const inner = tilingFromCuts(1, {axis: 0, at: -5, below: undefined, above: undefined});
    const {tiling, tiles} = refineTiling(outer, 0, inner);
    expect(tiles).toEqual([0, 2]);
    expect(tileBoxes(tiling)).toEqual([
      {low: [-Infinity], high: [-5]},
      {low: [0], high: [Infinity]},
      {low: [-5], high: [0]},
    ]);
  });

  it('divides the only tile', () => {
    const inner = tilingFromCuts(1, {axis: 0, at: 2, below: undefined, above: undefined});
    expect(refineTiling(tilingFromCuts(1, undefined), 0, inner)).toEqual({tiling: inner, tiles: [0, 1]});
  });
});

function owns({low, high}: TileBox, point: readonly number[]): boolean {
  return point.every((x, d) => low[d] <= x && x < high[d]);
}

function isWithin({low, high}: TileBox, point: readonly number[], eps: number): boolean {
  return point.every((x, d) => low[d] - x <= reachOf(eps) && x - high[d] <= reachOf(eps));
}
