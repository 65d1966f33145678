import {GpuUnavailableError, type DbscanAlgorithm} from '@epsball/clustering';
import {afterAll, beforeAll, type TestContext} from 'vitest';

/** What the suites need to know of a variant on a backend: the catalogue's rows fit. */
export interface DbscanSubject {
  readonly id: string;
  /** The most dimensions it takes; Infinity where it has no bound. */
  readonly maxDim: number;
  create(): Promise<DbscanAlgorithm>;
}

/** The subject's instance, shared by the tests of one `describe`. */
export interface SharedAlgorithm {
  /** The instance; skips the test, with the reason, where there is no adapter. */
  get(context: TestContext): DbscanAlgorithm;
}

/**
 * Opens the subject before the tests of the surrounding `describe`, and destroys it after them.
 *
 * Without an adapter the tests are reported as skipped; with `REQUIRE_GPU=1` they fail.
 */
export function shareAlgorithm(subject: DbscanSubject): SharedAlgorithm {
  let algorithm: DbscanAlgorithm | undefined;
  let missing = 'not opened';
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
