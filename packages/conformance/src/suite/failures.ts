import {
  DestroyedError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  type DbscanAlgorithm,
  type DbscanParams,
  type PointSet,
} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import type {DbscanCase} from '../case.ts';
import {bytesOf, isSameBytes, judgeCase} from '../judge.ts';
import {blobs, spiral, toPoints, uniform} from '../shapes.ts';
import type {DbscanSubject, SharedAlgorithm} from './subject.ts';

/** Registers the tests of bad input, abort and disposal. Each checks the error's class, then a valid run. */
export function describeFailures(subject: DbscanSubject, shared: SharedAlgorithm): void {
  const dim = Math.min(2, subject.maxDim);
  const points = (): PointSet => blobs('float32', dim, 300, {seed: 8});
  const good = {name: 'a valid run', dim, params: {eps: 0.05, minPts: 4}, points};
  describeBadParams(good, shared);
  describeBadPoints(good, subject, shared);
  describeAborts(good, shared);
  describeDisposal(good, subject, shared);
}

function describeBadParams(good: DbscanCase, shared: SharedAlgorithm): void {
  describe('rejects', () => {
    it.for(badParams)(
      'eps $eps with minPts $minPts, with the name $parameter',
      async ({parameter, ...params}, context) => {
        const algorithm = shared.get(context);
        const failure = await failureOf(algorithm, good.points(), params);
        expect(failure).toBeInstanceOf(InvalidParameterError);
        expect(failure).toMatchObject({code: 'INVALID_PARAMETER', parameter});
        await expectRecovery(algorithm, good);
      },
    );
  });
}

function describeBadPoints(good: DbscanCase, subject: DbscanSubject, shared: SharedAlgorithm): void {
  const {dim} = good;
  describe('rejects', () => {
    it.for([NaN, Infinity, -Infinity])(
      'a coordinate of %s, with the index of the first bad point',
      async (bad, context) => {
        const algorithm = shared.get(context);
        const points = good.points();
        points.coords[41 * dim] = bad;
        points.coords[200 * dim] = bad;
        const before = bytesOf(points).slice();
        const failure = await failureOf(algorithm, points, good.params);
        expect(failure).toBeInstanceOf(InvalidPointsError);
        expect(failure).toMatchObject({code: 'INVALID_POINTS', index: 41});
        expect(isSameBytes(before, bytesOf(points)), 'the input is untouched').toBe(true);
        await expectRecovery(algorithm, good);
      },
    );

    it('a number of coordinates that is not a multiple of dim', async (context) => {
      const algorithm = shared.get(context);
      const broken = dim === 1 ? {coords: new Float32Array(5), dim: 2} : toPoints('float32', dim, [1, 2, 3]);
      expect(await failureOf(algorithm, broken, good.params)).toBeInstanceOf(InvalidPointsError);
      await expectRecovery(algorithm, good);
    });

    it.for([0, -1, 1.5, NaN])('dim = %s', async (badDim, context) => {
      const failure = await failureOf(shared.get(context), {coords: new Float32Array(4), dim: badDim}, good.params);
      expect(failure).toMatchObject({code: 'INVALID_PARAMETER', parameter: 'dim'});
    });

    it.runIf(subject.maxDim < 1000)(
      'more dimensions than it supports, with UnsupportedDimensionError',
      async (context) => {
        const algorithm = shared.get(context);
        const tooMany = subject.maxDim + 1;
        const failure = await failureOf(algorithm, {coords: new Float32Array(3 * tooMany), dim: tooMany}, good.params);
        expect(failure).toBeInstanceOf(UnsupportedDimensionError);
        expect(failure).toMatchObject({code: 'UNSUPPORTED_DIMENSION', dim: tooMany});
        await expectRecovery(algorithm, good);
      },
    );
  });
}

function describeAborts(good: DbscanCase, shared: SharedAlgorithm): void {
  describe('aborts', () => {
    it('before the start if the signal has fired', async (context) => {
      const algorithm = shared.get(context);
      const reason = new Error('no longer wanted');
      const failure = await failureOf(algorithm, good.points(), good.params, AbortSignal.abort(reason));
      expect(failure).toBeInstanceOf(RunAbortedError);
      expect(failure).toMatchObject({code: 'RUN_ABORTED', cause: reason});
      await expectRecovery(algorithm, good);
    });

    it('during a long run', async (context) => {
      const algorithm = shared.get(context);
      const points = laboriousPoints(good.dim);
      const before = bytesOf(points).slice();
      // The border reads the signal, then the queue of a variant that has one, or the run.
      for (const look of [2, 3]) {
        const {signal, wasRead} = signalThatFiresAt(look);
        const failure = await failureOf(algorithm, points, {eps: 1.5, minPts: 2}, signal);
        if (look === 2) expect(wasRead(), 'the signal is read again').toBe(true);
        if (wasRead()) expect(failure).toBeInstanceOf(RunAbortedError);
      }
      expect(isSameBytes(before, bytesOf(points)), 'the input is untouched').toBe(true);
      await expectRecovery(algorithm, good);
    });
  });
}

function describeDisposal(good: DbscanCase, subject: DbscanSubject, shared: SharedAlgorithm): void {
  describe('frees its resources', () => {
    it('once, even if destroy is called again, and refuses runs then', async (context) => {
      shared.get(context);
      const algorithm = await subject.create();
      await algorithm.run(good.points(), good.params);
      algorithm.destroy();
      expect(() => algorithm.destroy()).not.toThrow();
      expect(() => algorithm[Symbol.dispose]()).not.toThrow();
      expect(await failureOf(algorithm, good.points(), good.params)).toBeInstanceOf(DestroyedError);
    });

    it('without a run', async (context) => {
      shared.get(context);
      const algorithm = await subject.create();
      expect(() => algorithm[Symbol.dispose]()).not.toThrow();
    });

    it('but not those of other instances', async (context) => {
      const algorithm = shared.get(context);
      (await subject.create()).destroy();
      await expectRecovery(algorithm, good);
    });
  });
}

async function expectRecovery(algorithm: DbscanAlgorithm, good: DbscanCase): Promise<void> {
  expect(await judgeCase(algorithm, good), 'the run after the failure').toBeNull();
}

const badParams: readonly (DbscanParams & {parameter: 'eps' | 'minPts'})[] = [
  ...[0, -1, NaN, Infinity].map((eps) => ({eps, minPts: 4, parameter: 'eps' as const})),
  ...[0, -3, 2.5, NaN, Infinity].map((minPts) => ({eps: 0.1, minPts, parameter: 'minPts' as const})),
];

/** Many levels and distance tests: a spiral of 8000 points, and 12000 points in a square of ten eps beside it. */
function laboriousPoints(dim: number): PointSet {
  const square = uniform('float32', dim, 12_000, 1).coords.map((x) => 1000 + 15 * x);
  return toPoints('float32', dim, [...(dim === 2 ? spiral('float32', 8000, 1).coords : []), ...square]);
}

/** The error of a run, or undefined if it succeeds. A synchronous throw violates the contract. */
async function failureOf(
  algorithm: DbscanAlgorithm,
  points: PointSet,
  params: DbscanParams,
  signal?: AbortSignal,
): Promise<unknown> {
  return algorithm.run(points, params, {signal}).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** A signal that fires when it is read for the given time: during the run, without a clock. */
function signalThatFiresAt(look: number): {signal: AbortSignal; wasRead: () => boolean} {
  const controller = new AbortController();
  const {signal} = controller;
  let looks = 0;
  Object.defineProperty(signal, 'aborted', {
    get: () => {
      if (++looks === look) controller.abort(new Error('in the middle of the run'));
      return looks >= look;
    },
  });
  return {signal, wasRead: () => looks >= look};
}
