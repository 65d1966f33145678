import {describe, expect, it} from 'vitest';
import {InvalidParameterError, squaredDistance, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {
  boxesNearSquared,
  boxFarSquared,
  boxNearSquared,
  buildKdTree,
  KdNearest,
  KdRange,
  type KdTree,
} from '@epsball/kd-tree';
import {pointSets} from './pointSets.ts';

describe.for(pointSets())('a tree of $name', ({points, leafPoints}) => {
  const tree = buildKdTree(points, {leafPoints});

  it('holds every point once, in leaves of the stated size', () => {
    const n = points.coords.length / points.dim;
    expect([...tree.pointOrder].sort((a, b) => a - b)).toEqual(Array.from({length: n}, (_, i) => i));
    const {dim} = points;
    const moved = tree.coords.map((_, at) => points.coords[tree.pointOrder[Math.floor(at / dim)] * dim + (at % dim)]);
    expect(tree.coords).toEqual(moved);
    expect(checkNodes(tree, leafPoints)).toBe(tree.right.length);
  });

  it('bounds the distances of its boxes, without any margin', () => {
    const {dim, n, boxes, start, end, coords} = tree;
    for (let node = 0; node < tree.right.length; node += 1 + (tree.right.length >> 5)) {
      for (let q = 0; q < n; q += 1 + (n >> 4)) {
        const near = boxNearSquared(boxes, dim, node, coords, q * dim, Infinity);
        const far = boxFarSquared(boxes, dim, node, coords, q * dim, Infinity);
        for (let p = start[node]; p < end[node]; p++) {
          const squared = squaredDistance(coords, dim, q, p);
          if (near > squared || squared > far) expect([near, squared, far]).toBe('ascending');
        }
      }
      for (let other = 0; other < tree.right.length; other += 1 + (tree.right.length >> 3)) {
        const near = boxesNearSquared(boxes, dim, node, other, Infinity);
        const squared = squaredDistance(coords, dim, start[node], start[other]);
        expect(near <= squared).toBe(true);
      }
    }
  });

  it('counts and visits the points within a distance, the boundary included', () => {
    const {n, dim, coords} = tree;
    const range = new KdRange(tree);
    for (let q = 0; q < n; q += 1 + (n >> 4)) {
      const limit = squaredDistance(coords, dim, q, (q * 7 + 3) % n);
      const expected = within(tree, q, limit);
      expect(range.countWithin(coords, q * dim, limit)).toBe(expected.length);
      const visited: number[] = [];
      expect(range.visitWithin(coords, q * dim, limit, (p) => void visited.push(p))).toBe(false);
      expect(visited.sort((a, b) => a - b)).toEqual(expected);
      for (const enough of [1, expected.length, expected.length + 1]) {
        expect(range.countWithin(coords, q * dim, limit, enough) >= enough).toBe(expected.length >= enough);
      }
    }
  });

  it('finds the k nearest points', () => {
    const {n, dim, coords} = tree;
    for (const k of [1, 2, 5, n, n + 3]) {
      const nearest = new KdNearest(tree, Math.max(k, 1));
      for (let q = 0; q < n; q += 1 + (n >> 4)) {
        const squared = Array.from({length: n}, (_, p) => squaredDistance(coords, dim, q, p)).sort((a, b) => a - b);
        const kth = nearest.query(coords, q * dim);
        expect(kth).toBe(squared[k - 1] ?? Infinity);
        const count = Math.min(nearest.k, n);
        expect([...nearest.squared.subarray(0, count)]).toEqual(squared.slice(0, count));
        const positions = nearest.positions.subarray(0, count);
        expect(new Set(positions).size).toBe(count);
        expect([...positions].map((p) => squaredDistance(coords, dim, q, p))).toEqual(squared.slice(0, count));
        for (let slot = 1; slot < count; slot++) {
          if (squared[slot] === squared[slot - 1]) expect(positions[slot]).toBeGreaterThan(positions[slot - 1]);
        }
        expect([...nearest.squared.subarray(count)].every((value) => value === Infinity)).toBe(true);
        expect([...nearest.positions.subarray(count)].every((position) => position === -1)).toBe(true);
      }
    }
  });
});

describe('a tree', () => {
  it('bounds distances that overflow by lower bounds, and no NaN', () => {
    const ends = [-1.7e308, -1e154, 0, 1e154, 1.7e308];
    const coords = Float64Array.from(
      {length: 2 * 25 * 3},
      (_, i) => ends[((i % 2 === 0 ? i >> 1 : (i >> 1) / 5) % 5) | 0],
    );
    const {boxes, coords: sorted, start, end, right, n} = buildKdTree({coords, dim: 2}, {leafPoints: 2});
    for (let node = 0; node < right.length; node++) {
      for (let q = 0; q < n; q++) {
        const near = boxNearSquared(boxes, 2, node, sorted, 2 * q, Infinity);
        for (let p = start[node]; p < end[node]; p++) expect(near <= squaredDistance(sorted, 2, q, p)).toBe(true);
      }
      for (let other = 0; other < right.length; other++) {
        const near = boxesNearSquared(boxes, 2, node, other, Infinity);
        expect(near <= squaredDistance(sorted, 2, start[node], start[other])).toBe(true);
      }
    }
  });

  it('ends a visit when the visitor says so', () => {
    const range = new KdRange(buildKdTree({coords: Float64Array.of(0, 1, 2), dim: 1}));
    let visits = 0;
    expect(range.visitWithin(Float64Array.of(0), 0, 9, () => ++visits === 2)).toBe(true);
    expect(visits).toBe(2);
  });

  it('holds the nearest points of the last query only', () => {
    const nearest = new KdNearest(buildKdTree({coords: Float64Array.of(0, 1, 5, 9), dim: 1}), 3);
    expect(nearest.query(Float64Array.of(0), 0)).toBe(25);
    expect(nearest.query(Float64Array.of(9), 0)).toBe(64);
    expect([...nearest.squared]).toEqual([0, 16, 64]);
    expect([...nearest.positions]).toEqual([3, 2, 1]);
  });

  it('lies in shared memory on request', () => {
    const tree = buildKdTree({coords: Float32Array.of(0, 1, 2), dim: 1}, {isShared: true, leafPoints: 1});
    const {coords, pointOrder, start, end, right, boxes} = tree;
    for (const {buffer} of [coords, pointOrder, start, end, right, boxes]) {
      expect(buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });

  it('rejects more than 1536 dimensions, and bad options', () => {
    const wide: PointSet = {coords: new Float32Array(1537), dim: 1537};
    expect(() => buildKdTree(wide)).toThrow(UnsupportedDimensionError);
    const points: PointSet = {coords: new Float32Array(2), dim: 1};
    expect(() => buildKdTree(points, {leafPoints: 0})).toThrow('leafPoints = 0; expected an integer from 1 to 1024');
    expect(() => buildKdTree(points, {leaves: 1} as never)).toThrow('option = "leaves"; expected one of');
    expect(() => new KdNearest(buildKdTree(points), 0)).toThrow(InvalidParameterError);
  });
});

/** Checks ranges and boxes of all nodes; returns the number of nodes that are reached. */
function checkNodes({right, start, end, boxes, coords, dim, n}: KdTree, leafPoints: number): number {
  if (n === 0) return 0;
  let reached = 0;
  const stack: [node: number, from: number, to: number][] = [[0, 0, n]];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [node, from, to] = top;
    reached++;
    expect([start[node], end[node]]).toEqual([from, to]);
    for (let d = 0; d < dim; d++) {
      const values = Array.from({length: to - from}, (_, k) => coords[(from + k) * dim + d]);
      expect(boxes[node * 2 * dim + d]).toBe(values.reduce((a, b) => Math.min(a, b)));
      expect(boxes[node * 2 * dim + dim + d]).toBe(values.reduce((a, b) => Math.max(a, b)));
    }
    if (right[node] === 0) {
      expect(to - from).toBeLessThanOrEqual(leafPoints);
      continue;
    }
    const middle = start[right[node]];
    expect(middle - from).toBe((to - from) >> 1);
    stack.push([node + 1, from, middle], [right[node], middle, to]);
  }
  return reached;
}

function within({n, dim, coords}: KdTree, q: number, limit: number): number[] {
  return Array.from({length: n}, (_, p) => p).filter((p) => squaredDistance(coords, dim, q, p) <= limit);
}

it('reports the part of the points that are in leaves', () => {
  const parts: number[] = [];
  const coords = Float64Array.from({length: 2000}, (_, i) => (i * 7919) % 2003);
  buildKdTree({coords, dim: 2}, {onProgress: (part) => parts.push(part)});
  expect(parts).toEqual(parts.toSorted((a, b) => a - b));
  expect(parts[0]).toBeLessThan(0.05);
  expect(parts.at(-1)).toBe(1);
});
