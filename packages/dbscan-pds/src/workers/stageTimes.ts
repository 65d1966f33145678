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

  /** Adds what a stage of a wave took. */
  add(stage: Stage, wallMs: number, threadMs: readonly number[]): void {
    this.#ms[stage] += wallMs;
    const ofThreads = this.#threadMs[stage];
    for (let k = 0; k < ofThreads.length; k++) ofThreads[k] += threadMs[k];
  }

  /** `localMs`, `mergeMs`, and of each thread, by its number in the pool, from 1: `localMsOfThread1` … */
  counters(): Record<string, number> {
    const ofThreads = (stage: Stage): [string, number][] =>
      this.#threadMs[stage].map((ms, k) => [`${stage}MsOfThread${k + 1}`, ms]);
    const {local, merge} = this.#ms;
    return {localMs: local, mergeMs: merge, ...Object.fromEntries([...ofThreads('local'), ...ofThreads('merge')])};
  }
}
