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
  #lastRound = -1;
  #stillLooks = 0;
  #exactSeeds = 0;
  #isExact = false;

  constructor(n: number, onProgress: ProgressListener<DbscanPhase> | undefined) {
    this.#n = n;
    this.#onProgress = onProgress;
  }

  /** Whether seeds wanted exact arithmetic since the look before the last, as all do on a lattice. */
  get isExact(): boolean {
    return this.#isExact;
  }

  /**
   * Takes a look.
   *
   * @returns whether the search is done
   * @throws Error  if no round is run any more: the device drops its work, and says why in an error scope
   */
  look(state: Uint32Array): boolean {
    const round = state[wordOf(Search, 'round')];
    this.#stillLooks = round === this.#lastRound ? this.#stillLooks + 1 : 0;
    this.#lastRound = round;
    const exactSeeds = state[wordOf(Search, 'exactSeeds')];
    this.#isExact = exactSeeds !== this.#exactSeeds;
    this.#exactSeeds = exactSeeds;
    const done = Math.min(state[wordOf(Search, 'processed')], this.#n);
    if (done >= this.#reportAt) {
      this.#reportAt = done + this.#n / REPORTS;
      this.#onProgress?.({phase: 'clusters', done, total: this.#n});
    }
    if (state[wordOf(Search, 'isDone')] === 1) return true;
    if (this.#stillLooks >= MAX_STILL_LOOKS) throw new Error('the chains do not move');
    return false;
  }
}
