import type {Gpu} from './gpu.ts';

/**
 * Tells an owner of kept buffers when a run has failed. A buffer that was made in a failed run may be invalid without
 * a sign of it, or stay mapped, so the owner discards what it keeps.
 */
export class FailedRuns {
  readonly #gpu: Gpu;
  #seen: number;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#seen = gpu.failedRuns;
  }

  /** Whether a run has failed since the last call. */
  hasNew(): boolean {
    const hasNew = this.#seen !== this.#gpu.failedRuns;
    this.#seen = this.#gpu.failedRuns;
    return hasNew;
  }
}
