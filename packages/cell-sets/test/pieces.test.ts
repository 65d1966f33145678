import {blobs} from '@epsball/conformance';
import {buildUniformGrid} from '@epsball/spatial-grid';
import {findRoot} from '@epsball/union-find';
import {expect, it} from 'vitest';
import {LocalUnion} from '../src/localUnion.ts';
import {markCore} from '../src/markCore.ts';
import {PairList} from '../src/pairList.ts';
import {APART, WHOLE_PIECE} from '../src/pieces.ts';

const EPS = 1;

/** Marks the core points of a crowded cell by three ranges of positions. */
function markInPieces(dim: number, sigma: number) {
  const n = 900;
  const points = blobs('float64', dim, n, {seed: dim, clusters: 1, sigma});
  const index = buildUniformGrid(points, EPS);
  expect(index.cellCount).toBe(1);
  const space = {index, eps: EPS, forest: {isCore: new Uint8Array(n), parent: new Int32Array(n)}};
  const pieces = {cuts: Int32Array.of(0, 300, 600, n), state: new Uint8Array(n)};
  for (let k = 0; k < 3; k++) markCore(space, 4, pieces.cuts[k], pieces.cuts[k + 1], pieces.state);
  const rootOf = (position: number): number => findRoot(space.forest.parent, position);
  return {space, pieces, n, rootOf};
}

it.for([2, 4])('unites each piece of a crowded cell, and then the pieces, on %i axes', (dim) => {
  const {space, pieces, n, rootOf} = markInPieces(dim, 0.01);
  for (const [k, start] of [0, 300, 600].entries()) {
    expect(pieces.state[start]).toBe(WHOLE_PIECE);
    for (let position = start; position < pieces.cuts[k + 1]; position++) expect(rootOf(position)).toBe(start);
  }
  const pairs = new PairList(new Int32Array(0), space.forest.parent);
  new LocalUnion(space, 0, pieces, pairs).uniteCells(0, 1);
  expect(pairs.length).toBe(0);
  for (let position = 0; position < n; position++) expect(rootOf(position)).toBe(0);
});

it('keeps two clusters in one cell apart', () => {
  const coords = Float64Array.from({length: 900}, (_, i) => (i % 2 === 0 ? 0 : 1.00001));
  const index = buildUniformGrid({coords, dim: 1}, 1);
  const n = 900;
  const space = {
    index: {...index, cellCount: 1, cellStart: Int32Array.of(0, n), neighborRanges: whole(n), neighborCells: whole(1)},
    eps: 1,
    forest: {isCore: new Uint8Array(n), parent: new Int32Array(n)},
  };
  const pieces = {cuts: Int32Array.of(0, 300, 600, n), state: new Uint8Array(n)};
  for (let k = 0; k < 3; k++) markCore(space, 4, pieces.cuts[k], pieces.cuts[k + 1], pieces.state);
  expect([0, 300, 600].map((start) => pieces.state[start])).toEqual([WHOLE_PIECE, APART, WHOLE_PIECE]);
  new LocalUnion(space, 0, pieces, new PairList(new Int32Array(0), space.forest.parent)).uniteCells(0, 1);
  const roots = Array.from({length: n}, (_, position) => findRoot(space.forest.parent, position));
  expect(roots).toEqual(Array.from({length: n}, (_, position) => (position < 450 ? 0 : 450)));
});

/** Makes [0, end) the neighbourhood of every cell. */
function whole(end: number) {
  return (_: number, ranges: Int32Array): number => {
    ranges.set([0, end]);
    return 1;
  };
}
