import {NOISE, type PointSet} from '@epsball/clustering';
import {checkGenerator, drawPoints, requireInteger, type GeneratorOptions} from '../coords.ts';

/** Points of a block along an axis. The next block begins two units after its last point. */
const BLOCK = 100;

/**
 * Generates the first n points of the smallest square or cubic lattice that has n points, in blocks: the coordinate of
 * step p on each axis is ⌊p / 100⌋ · 101 + p mod 100. With eps = 1 and minPts = 2 each block is a cluster, of 100^dim
 * points inside the lattice, and the distance of neighbours is exactly eps.
 *
 * @param options.dim  1 to 3. Default: 3
 * @returns  n points; the last axis varies fastest
 * @throws InvalidParameterError  if an option is out of range
 * @source   ArborX, pull request 1228
 */
export function latticeBlocks(options: Omit<GeneratorOptions, 'seed'> & {readonly dim?: number}): PointSet {
  checkGenerator(options, ['dim']);
  const {n, dim = 3} = options;
  requireInteger('dim', dim, 1, 3);
  const width = latticeSide(n, dim);
  const places = Float64Array.from({length: width}, (_, p) => Math.floor(p / BLOCK) * (BLOCK + 1) + (p % BLOCK));
  const step = new Int32Array(dim);
  return drawPoints(options, dim, () => (point) => {
    for (let d = 0; d < dim; d++) point[d] = places[step[d]];
    for (let d = dim - 1; d >= 0 && ++step[d] === width; d--) step[d] = 0;
  });
}

/**
 * The labels of `latticeBlocks` with eps = 1 and minPts = 2, from the steps alone. A point is core if it has a label:
 * a block of one point, which an end of the lattice may have, is noise.
 */
export function latticeBlockLabels({n, dim = 3}: {readonly n: number; readonly dim?: number}): Int32Array {
  requireInteger('n', n, 0, 0x7fffffff);
  requireInteger('dim', dim, 1, 3);
  const width = latticeSide(n, dim);
  const blocks = Math.ceil(width / BLOCK);
  const labels = new Int32Array(n);
  const sizes = new Int32Array(blocks ** dim);
  const step = new Int32Array(dim);
  for (let i = 0; i < n; i++) {
    // Blocks in the order of their first points.
    let block = 0;
    for (let d = 0; d < dim; d++) block = block * blocks + Math.floor(step[d] / BLOCK);
    labels[i] = block;
    sizes[block]++;
    for (let d = dim - 1; d >= 0 && ++step[d] === width; d--) step[d] = 0;
  }
  // A block of a single point has the highest label: its other points would come after point n − 1.
  for (let i = 0; i < n; i++) if (sizes[labels[i]] === 1) labels[i] = NOISE;
  return labels;
}

/** Points along an axis of the smallest cubic lattice of n points. */
export function latticeSide(n: number, dim: number): number {
  let side = Math.floor(n ** (1 / dim));
  while (side ** dim < n) side++;
  return side;
}
