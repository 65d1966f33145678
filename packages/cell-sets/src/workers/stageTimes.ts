/** The stages of PDSDBSCAN-S. */
type Stage = 'local' | 'merge';

/** Times of the stages: wall time, and the time of each thread. */
export class StageTimes {
  readonly #ms: Record<Stage, number> = {local: 0, merge: 0};
  readonly #threadMs: Record<Stage, number[]>;

  /** @param threads  number of threads in the pool */
  constructor(threads: number) {
    const zeros = (): number[] => Array.from({length: threads}, () => 0);
    this.#threadMs = {local: zeros(), merge: zeros()};
  }

  /** Adds the times of a stage. */
  add(stage: Stage, wallMs: number, threadMs: readonly number[]): void {
    this.#ms[stage] += wallMs;
    const ofThreads = this.#threadMs[stage];
    for (let k = 0; k < ofThreads.length; k++) ofThreads[k] += threadMs[k];
  }

  /** `localMs`, `mergeMs`, and for each thread, numbered from 1, `localMsOfThread1` … */
  counters(): Record<string, number> {
    const ofThreads = (stage: Stage): [string, number][] =>
      this.#threadMs[stage].map((ms, k) => [`${stage}MsOfThread${k + 1}`, ms]);
    const {local, merge} = this.#ms;
    return {localMs: local, mergeMs: merge, ...Object.fromEntries([...ofThreads('local'), ...ofThreads('merge')])};
  }
}
