import {validatePoints, type PointSet} from '../points.ts';
import type {OpenGpu, RunnerOptions, VariantRunnerParts} from './variantRun.ts';
import {VariantRunner} from './variantRunner.ts';

/** What the front doors of dbscan, mean shift and HDBSCAN* have in common: a runner over a catalogue. */
export abstract class FrontDoor<
  Algorithm extends {destroy(): void},
  Gpu extends OpenGpu,
  Adapter extends string,
  Device extends object,
> {
  protected readonly runner: VariantRunner<Algorithm, Gpu, Adapter, Device>;

  /** @throws InvalidParameterError  if an option is not allowed; lists the allowed values */
  constructor(
    parts: VariantRunnerParts<Algorithm, Gpu, Adapter, Device>,
    options: RunnerOptions<Gpu, Adapter, Device>,
  ) {
    this.runner = new VariantRunner(parts, options);
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

/** Checks a request, or chooses for it. Errors of the points come before those that `check` throws. */
export function afterPoints<Result>(points: PointSet, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    validatePoints(points);
    throw error;
  }
}
