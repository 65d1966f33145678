import {GpuUnavailableError, type DbscanAlgorithm, type VariantMetric, type WeightKind} from '@epsball/clustering';
import {afterAll, beforeAll, type TestContext} from 'vitest';
import type {DbscanCase} from '../case.ts';

/** A variant on a backend, as the suites use it. Rows of the catalogue have this shape. */
export interface DbscanSubject {
  readonly id: string;
  /** Maximum number of dimensions; Infinity if unbounded. */
  readonly maxDim: number;
  /** The metrics that it computes. Default: euclidean only. */
  readonly metrics?: readonly VariantMetric[] | undefined;
  /** The weights that it takes. Default: none. */
  readonly weights?: WeightKind | undefined;
  /** Fraction of the cases that it is tested with. Default: `SHARE`. */
  readonly share?: number | undefined;
  /** Skips the tests that compile kernels for all dimensions, or dispatch thousands of them. Default: false. */
  readonly isBrief?: boolean | undefined;
  /** Cases that it is tested with. Default: all that it computes. */
  readonly takes?: ((testCase: DbscanCase) => boolean) | undefined;
  create(): Promise<DbscanAlgorithm>;
}

/** The subject's instance, which the tests of one `describe` share. */
export interface SharedAlgorithm {
  /** The instance. Without an adapter it skips the test with the reason. */
  get(context: TestContext): DbscanAlgorithm;
}

/**
 * Creates the subject before the tests of the surrounding `describe` and destroys it after them. Without an adapter the
 * tests are skipped. With `REQUIRE_GPU=1` they fail.
 */
export function shareAlgorithm(subject: DbscanSubject): SharedAlgorithm {
  let algorithm: DbscanAlgorithm | undefined;
  let missing = 'not created';
  beforeAll(async () => {
    try {
      algorithm = await subject.create();
    } catch (error) {
      if (!(error instanceof GpuUnavailableError) || process.env.REQUIRE_GPU === '1') throw error;
      missing = error.message;
    }
  });
  afterAll(() => algorithm?.destroy());
  return {get: (context) => algorithm ?? context.skip(missing)};
}
