import {validatePoints, type PointSet} from '../points.ts';
import type {OpenGpu, RunnerOptions, VariantRunnerParts} from './variantRun.ts';
import {VariantRunner} from './variantRunner.ts';

interface GpuPackage<Gpu, Adapter extends string, Device extends object> {
  readonly openGpu: (
    options: {readonly adapter: Adapter | 'hardware' | 'auto'} | {readonly device: Device},
  ) => Promise<Gpu>;
}

/** The parts of a front door. */
interface FrontDoorParts<Algorithm, Gpu, Adapter extends string, Device extends object> extends Omit<
  VariantRunnerParts<Algorithm, Gpu>,
  'openGpu'
> {
  /** Imports `@epsball/gpu` when a run needs it. A `Gpu` that wraps the caller's device does not destroy the device. */
  readonly loadGpu: () => Promise<GpuPackage<Gpu, Adapter, Device>>;
}

/** What the front doors of dbscan, mean shift and HDBSCAN* have in common: a runner over a catalogue. */
export abstract class FrontDoor<
  Algorithm extends {destroy(): void},
  Gpu extends OpenGpu,
  Adapter extends string,
  Device extends object,
> {
  protected readonly runner: VariantRunner<Algorithm, Gpu>;

  /** @throws InvalidParameterError  if an option is not allowed; lists the allowed values */
  constructor(
    {loadGpu, ...parts}: FrontDoorParts<Algorithm, Gpu, Adapter, Device>,
    options: RunnerOptions<Gpu, Adapter, Device>,
  ) {
    const {adapter = 'auto', device} = options;
    const openGpu = async (kind?: 'hardware'): Promise<Gpu> => {
      const loaded = await loadGpu();
      return loaded.openGpu(device === undefined ? {adapter: kind ?? adapter} : {device});
    };
    this.runner = new VariantRunner<Algorithm, Gpu>({...parts, openGpu}, options);
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
