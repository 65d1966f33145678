import {validatePoints, type PointSet} from '../points.ts';
import type {OpenGpu, RunnerOptions, VariantRunnerParts} from './variantRun.ts';
import {VariantRunner} from './variantRunner.ts';

/**
 * What the front doors of dbscan, mean shift and HDBSCAN* have in common: a runner over a catalogue, made for many runs
 * or shared by one-shot calls.
 */
export abstract class FrontDoor<Algorithm extends {destroy(): void}, Gpu extends OpenGpu> {
  protected readonly runner: VariantRunner<Algorithm, Gpu>;

  /** @throws InvalidParameterError  if an option is not allowed; lists the allowed values */
  constructor(parts: VariantRunnerParts<Algorithm, Gpu>, options: RunnerOptions<Gpu>) {
    this.runner = new VariantRunner<Algorithm, Gpu>(parts, options);
  }

  /** Creates what every run needs, if a backend or the GPU is named. */
  async prepare(): Promise<void> {
    await this.runner.prepare(this.runner.choose(0, 1));
  }

  destroy(): void {
    this.runner.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/**
 * Checks a request, or chooses for it. An error of the points comes before one of the request: what `check` throws is
 * thrown only if the points are valid.
 *
 * @throws InvalidPointsError, and what `check` throws
 */
export function afterPoints<Result>(points: PointSet, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    validatePoints(points);
    throw error;
  }
}
