import type {WaveOutcome} from '@epsball/workers';

/** The stages of PDSDBSCAN-S. */
type Stage = 'local' | 'merge';

/** How long the stages took: wall time, and the time of each thread. */
export class StageTimes {
  readonly #ms: Record<Stage, number> = {local: 0, merge: 0};
  readonly #threadMs: Record<Stage, number[]>;

  /** @param threads  of the pool */
  constructor(threads: number) {
    const zeros = (): number[] => Array.from({length: threads}, () => 0);
    this.#threadMs = {local: zeros(), merge: zeros()};
  }

  /** Runs a wave of a stage. */
  async time<Result>(stage: Stage, wave: () => Promise<WaveOutcome<Result>>): Promise<WaveOutcome<Result>> {
    const startedAt = performance.now();
    const outcome = await wave();
    this.#ms[stage] += performance.now() - startedAt;
    outcome.threadMs.forEach((ms, k) => (this.#threadMs[stage][k] += ms));
    return outcome;
  }

  /** `localMs`, `mergeMs`, and of each thread, by its number in the pool, from 1: `localMsOfThread1` … */
  counters(): Record<string, number> {
    const ofThreads = (stage: Stage): [string, number][] =>
      this.#threadMs[stage].map((ms, k) => [`${stage}MsOfThread${k + 1}`, ms]);
    const {local, merge} = this.#ms;
    return {localMs: local, mergeMs: merge, ...Object.fromEntries([...ofThreads('local'), ...ofThreads('merge')])};
  }
}
