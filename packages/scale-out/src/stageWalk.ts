import {setTimeout as sleep} from 'node:timers/promises';
import {ScaleOutError} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {nextStage, type Stage} from './stages.ts';
import {DamagedFileError} from './store/store.ts';

/** How often a run may go back. A disk that damages all that it gets would keep it busy for ever. */
const SETBACKS_MAX = 12;
const SETBACKS_AT_ONCE = 3;
const WAIT_MAX_MS = 8000;

/** Where a run is: what a `StageWalk` continues from. */
export interface StagePlace {
  /** Of the stage that came last. */
  readonly ordinal: number;
  /** How often a stage came that is not behind the one before. */
  readonly setbacks: number;
}

export const START: StagePlace = {ordinal: -1, setbacks: 0};

/**
 * Goes from stage to stage, as `nextStage` says, and back where files of the run are lost. The first times it goes back
 * at once. Then it waits: another host may see a file of a shared folder a minute late.
 */
export class StageWalk {
  readonly #files: RunFiles;
  #place: StagePlace;
  #damage: string | undefined;

  constructor(files: RunFiles, place: StagePlace = START) {
    this.#files = files;
    this.#place = place;
  }

  get place(): StagePlace {
    return this.#place;
  }

  /** Remembers why a task could not be done. Later tasks miss the marker that the first one removed. */
  report(damage: string): void {
    this.#damage ??= damage;
  }

  /**
   * The next stage, or undefined if the run is done.
   *
   * @throws ScaleOutError  if the run went back too often
   */
  async next(signal?: AbortSignal): Promise<Stage | undefined> {
    for (;;) {
      const stage = await this.#look();
      if (stage === undefined) return undefined;
      if (stage === 'damaged' || stage.ordinal <= this.#place.ordinal) await this.#goBack(signal);
      if (stage === 'damaged') continue;
      this.#place = {...this.#place, ordinal: stage.ordinal};
      return stage;
    }
  }

  async #look(): Promise<Stage | 'damaged' | undefined> {
    try {
      return await nextStage(this.#files);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      this.report(error.message);
      return 'damaged';
    }
  }

  async #goBack(signal: AbortSignal | undefined): Promise<void> {
    const setbacks = this.#place.setbacks + 1;
    if (setbacks > SETBACKS_MAX) {
      const {name, store} = this.#files;
      const message = `run ${name} lost files ${SETBACKS_MAX} times; check the disk of ${store.url}, then the run can continue`;
      throw new ScaleOutError('STORE_UNRELIABLE', `${message}. At last, ${this.#damage ?? 'tasks were not done'}`);
    }
    this.#place = {...this.#place, setbacks};
    this.#damage = undefined;
    if (setbacks <= SETBACKS_AT_ONCE) return;
    const waitMs = Math.min(WAIT_MAX_MS, 1000 * 2 ** (setbacks - SETBACKS_AT_ONCE - 1));
    await sleep(waitMs, undefined, signal === undefined ? {} : {signal});
  }
}
