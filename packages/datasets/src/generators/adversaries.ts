import type {PointSet} from '@epsball/clustering';
import {allocateCoords, drawPlaces, drawPoints, shufflePoints, type GenerateOptions} from '../coords.ts';
import {Random} from '../random.ts';

// Adversaries of an index or of a shortcut, all for eps 1 and minPts 5.

/** Side of a box that fits into one cell of side 1 / √dim, for up to 4 dimensions. */
const CELL = 0.45;

const PLACES = 10;

/** Mean neighbours of the spread half of `halfCrowded`, in a ball of radius 1. */
const SPREAD_NEIGHBORS = 6;

/** Volume of the unit ball by dimension. */
const BALL = [1, 2, Math.PI, (4 / 3) * Math.PI, Math.PI ** 2 / 2];

/** Points of the filament within eps. */
const FILAMENT_NEIGHBORS = 10;

/** Points, and steps from centre to centre, of a cluster of the comb. */
const TOOTH = 10;
const TOOTH_STEP = 2.7;

/** Distance of the two sides of `twoCells`, in eps. */
const GAP = 1.001;

/** All points in one cell of every grid: each is a neighbour of most others. */
export function oneCell({dim, ...options}: GenerateOptions): PointSet {
  return drawPoints(options, dim, (random) => (point) => {
    for (let d = 0; d < dim; d++) point[d] = random.between(0, CELL);
  });
}

/** Duplicates on ten places. */
export function tenPlaces({dim, ...options}: GenerateOptions): PointSet {
  return drawPlaces(options, dim, PLACES, 3);
}

/** Half of the points in one cell, half spread, in random order. */
export function halfCrowded({dim, ...options}: GenerateOptions): PointSet {
  const side = ((options.n / 2) * (BALL[dim] / SPREAD_NEIGHBORS)) ** (1 / dim);
  const draw = (random: Random) => (point: Float64Array, i: number) => {
    for (let d = 0; d < dim; d++) point[d] = random.between(0, i % 2 === 0 ? CELL : side);
  };
  return drawPoints(options, dim, draw, true);
}

/** One thin filament along the diagonal of the box: a breadth-first search n / 10 levels deep. */
export function filament({dim, ...options}: GenerateOptions): PointSet {
  const step = 2 / (FILAMENT_NEIGHBORS * Math.sqrt(dim));
  const draw = (random: Random) => (point: Float64Array, i: number) => {
    for (let d = 0; d < dim; d++) point[d] = i * step + random.between(0, step);
  };
  return drawPoints(options, dim, draw, true);
}

/**
 * Rows of clusters of ten points. Each touches the next one of its row at a border point that is within eps of both: a
 * tie that the lower label wins.
 */
export function comb({n, dim, seed, precision, onProgress}: GenerateOptions): PointSet {
  const random = new Random(seed);
  const coords = allocateCoords(n, dim, precision);
  const teeth = Math.ceil(n / TOOTH);
  const row = dim === 1 ? teeth : Math.ceil(Math.sqrt(teeth));
  // Seven points at the centre, an arm on either side, and the border point between the arms of two clusters.
  const steps = [0, 0, 0, 0, 0, 0, 0, -0.45, 0.45, TOOTH_STEP / 2];
  for (let i = 0; i < n; i++) {
    const tooth = Math.floor(i / TOOTH);
    for (let d = 0; d < dim; d++) coords[i * dim + d] = random.between(0, 0.02);
    coords[i * dim] += (tooth % row) * TOOTH_STEP + steps[i % TOOTH];
    if (dim > 1) coords[i * dim + 1] += Math.floor(tooth / row) * TOOTH_STEP;
  }
  shufflePoints(coords, dim, random, onProgress);
  return {coords, dim};
}

/**
 * Two crowded sides in neighbouring cells, along two parallel diagonals whose distance is 1.001 eps: no pair is within
 * eps, and boxes of the points are, unless they are small.
 */
export function twoCells({dim, ...options}: GenerateOptions): PointSet {
  return drawPoints(options, dim, (random) => (point, i) => {
    const side = i % 2;
    const along = random.between(0, CELL);
    // Away from the other side.
    const away = random.between(0, 1e-4) * (2 * side - 1);
    for (let d = 0; d < dim; d++) point[d] = random.between(0, CELL);
    if (dim === 1) {
      point[0] = side * GAP + away;
    } else {
      const shift = side * GAP * Math.SQRT1_2;
      point[0] = along + shift + away;
      point[1] = CELL - along + shift + away;
    }
  });
}
