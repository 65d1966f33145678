import type {Gpu} from './gpu.ts';

/** Tells an owner whether a run has failed: its buffers may then be invalid without any sign, or stay mapped. */
export class FailedRuns {
  readonly #gpu: Gpu;
  #seen: number;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#seen = gpu.failedRuns;
  }

  /** Returns whether a run has failed since the last call. */
  hasNew(): boolean {
    const hasNew = this.#seen !== this.#gpu.failedRuns;
    this.#seen = this.#gpu.failedRuns;
    return hasNew;
  }
}
