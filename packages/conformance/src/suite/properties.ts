import * as fc from 'fast-check';
import type {DbscanAlgorithm, PointSet} from '@epsball/clustering';
import {describe, it} from 'vitest';
import {judgeCase} from '../judge.ts';
import {seededRandom} from '../random.ts';
import {formatRegression} from '../regressions.ts';
import {SEED, sizeOfShare} from '../share.ts';
import {blobs, integerLattice, shuffled, toPoints, transformed, uniform, type Precision} from '../shapes.ts';
import {shareAlgorithm, type DbscanSubject} from './subject.ts';

/** A random input. These numbers determine it, so a failure shrinks to a small input. */
interface Draw {
  readonly n: number;
  readonly seed: number;
  readonly dim: number;
  readonly precision: Precision;
  readonly eps: number;
  readonly minPts: number;
  readonly offset: number;
}

/** Shapes of random sets, in units of which `eps` is a suitable multiple. */
const shapes: Readonly<Record<string, (draw: Draw) => PointSet>> = {
  'random clusters': ({n, seed, dim, precision}) =>
    blobs(precision, dim, n, {seed, clusters: 1 + (seed % 6), sigma: 0.05}),
  'uniform points': ({n, seed, dim, precision}) => uniform(precision, dim, n, seed),
  'lattices with eps a multiple of the spacing': (draw) => {
    const side = Math.max(1, Math.floor(draw.n ** (1 / draw.dim)));
    const values = integerLattice(draw.dim, side).map((x) => x * draw.eps);
    return shuffled(toPoints(draw.precision, draw.dim, values), draw.seed);
  },
  'few positions with many duplicates': ({n, seed, dim, precision, eps}) => {
    const random = seededRandom(seed);
    return toPoints(
      precision,
      dim,
      Array.from({length: n * dim}, () => Math.floor(random() * 4) * eps * 0.75),
    );
  },
  'a dense region in a huge box': ({n, seed, dim, precision, eps}) => {
    const random = seededRandom(seed);
    return toPoints(
      precision,
      dim,
      Array.from({length: n * dim}, (_, k) => (Math.floor(k / dim) % 5 === 0 ? 1e9 : 2) * eps * (random() - 0.5)),
    );
  },
};

/**
 * Searches for inputs on which the subject and the oracle differ: shapes × eps × minPts × dimension × precision ×
 * distance from the origin. A failure prints its seed, its path and the shrunk set as the text of a regression file.
 */
export function describeDbscanProperties(subject: DbscanSubject): void {
  describe(`${subject.id} equals the oracle, seed ${SEED}, on`, () => {
    const shared = shareAlgorithm(subject);
    it.for(Object.keys(shapes))('%s', async (shape, context) => {
      const algorithm = shared.get(context);
      const property = fc.asyncProperty(drawn(subject.maxDim), (draw) => judgeDraw(algorithm, shape, draw));
      await fc.assert(property, {seed: SEED, numRuns: sizeOfShare(60)});
    });
  });
}

async function judgeDraw(algorithm: DbscanAlgorithm, shape: string, draw: Draw): Promise<void> {
  const {dim, eps, minPts, offset} = draw;
  const points = (): PointSet => transformed(shapes[shape](draw), 1, offset);
  const params = {eps, minPts};
  const violation = await judgeCase(algorithm, {name: shape, dim, params, points});
  if (violation === null) return;
  throw new Error(
    `${violation}\nto keep it, save it as fixtures/regressions/<what it shows>.json:\n${formatRegression(shape, points(), params)}`,
  );
}

/** fast-check shrinks towards few points near the origin in one dimension. */
function drawn(maxDim: number): fc.Arbitrary<Draw> {
  return fc.record({
    n: fc.integer({min: 0, max: 400}),
    seed: fc.nat({max: 1_000_000}),
    dim: fc.integer({min: 1, max: Math.min(4, maxDim)}),
    precision: fc.constantFrom<Precision>('float32', 'float64'),
    eps: fc.constantFrom(1, 0.1, 1 / 3, 0.02, 0.3, 1e-3, 7.7),
    minPts: fc.constantFrom(1, 2, 3, 4, 5, 8, 20),
    offset: fc.constantFrom(0, -0.5, 1000.1, -1e6, 1e9),
  });
}
