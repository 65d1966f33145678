import type {DbscanPhase, ProgressListener} from '@epsball/clustering';
import {wordOf} from '@epsball/gpu';
import {searchStructs} from './search.wgsl.ts';

const {Search} = searchStructs;

/** Progress reports a run, at most. */
const REPORTS = 100;
/** Looks at an unchanged state after which the search counts as stalled. */
const MAX_STILL_LOOKS = 3;

/** What the host makes of its looks at the state of a search: progress, and whether it goes on at all. */
export class SearchWatch {
  readonly #n: number;
  readonly #onProgress: ProgressListener<DbscanPhase> | undefined;
  #reportAt = 0;
  #last: Uint32Array = new Uint32Array(0);
  #stillLooks = 0;

  constructor(n: number, onProgress: ProgressListener<DbscanPhase> | undefined) {
    this.#n = n;
    this.#onProgress = onProgress;
  }

  /** Whether the search was waiting for exact work at the last look, as it does at every level of a lattice. */
  get isExact(): boolean {
    return this.#last.length > 0 && this.#last[wordOf(Search, 'exactStage')] !== 0;
  }

  /**
   * Takes a look.
   *
   * @returns whether the search is done
   * @throws Error  if nothing moves any more: the device drops its work, and says why in an error scope
   */
  look(state: Uint32Array): boolean {
    // Every batch completes a level, begins a cluster, settles points or expands undecided ones, and so changes a word.
    const isStill = state.length === this.#last.length && state.every((word, k) => word === this.#last[k]);
    this.#stillLooks = isStill ? this.#stillLooks + 1 : 0;
    this.#last = state.slice();
    const done = Math.min(state[wordOf(Search, 'startIndex')], this.#n);
    if (done >= this.#reportAt) {
      this.#reportAt = done + this.#n / REPORTS;
      this.#onProgress?.({phase: 'clusters', done, total: this.#n});
    }
    if (state[wordOf(Search, 'isDone')] === 1) return true;
    if (this.#stillLooks >= MAX_STILL_LOOKS) throw new Error('the cluster search does not move');
    return false;
  }
}
