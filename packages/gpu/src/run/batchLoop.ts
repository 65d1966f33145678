import type {Gpu} from '../gpu.ts';
import type {StructLayout} from '../kernelSource.ts';
import {wordOf} from '../params.ts';
import {ReadBack} from '../transfer/readBack.ts';
import type {BatchPace} from './batchPace.ts';
import type {GpuRun} from './gpuRun.ts';
import {Owner} from '../owner.ts';

/** Looks at an unchanged state after which a loop counts as stalled. */
const MAX_STILL_LOOKS = 3;
/** Most that is reported of a loop that has not ended, where its part is an estimate. */
const PART_MAX = 0.99;

/** A struct that kernels keep, with a word `isDone` that they set to 1 when nothing is left to do. */
export interface StateLayout extends StructLayout {
  readonly fields: StructLayout['fields'] & {readonly isDone: {readonly offset: number; readonly type: string}};
}

/** One loop over rounds of work whose number only the device knows. */
export interface BatchPlan<Phase extends string, L extends StateLayout> {
  /** What the loop is, for errors: `cluster search`. */
  readonly what: string;
  readonly phase: Phase;
  /** Kept by the kernels; every batch changes a word of it until it is done. */
  readonly state: GPUBuffer;
  readonly layout: L;
  /** Name of the word that counts progress, up to the run's total; or the part, about, that a state has reached. */
  readonly progress: Extract<keyof L['fields'], string> | ((state: Uint32Array) => number);
  readonly pace: BatchPace;
  /** Rounds after which the loop fails: more than any input needs. */
  readonly maxRounds: number;
  /** Spans that the device's clock times in a batch; 1 by default. */
  readonly spans?: number | undefined;
  readonly record: (encoder: GPUCommandEncoder, rounds: number) => void;
  /** Called behind each batch, when its state has been asked for. */
  readonly submitted?: ((batch: number) => void) | undefined;
  /** Called when the host has a batch's state, before the next one is recorded. */
  readonly look?: ((state: Uint32Array, isDone: boolean) => Promise<void> | void) | undefined;
}

/** How a loop ended. */
export interface BatchOutcome {
  readonly state: Uint32Array;
  /** Times that the host looked. */
  readonly batches: number;
}

/** Batches of rounds: the device works on the next while the host looks at the last. Idle rounds must be harmless. */
export class BatchLoop extends Owner {
  readonly #gpu: Gpu;
  readonly #readBacks: readonly ReadBack[];

  /** @param inFlight  batches on the device at a time */
  constructor(gpu: Gpu, label: string, inFlight: number) {
    super();
    this.#gpu = gpu;
    this.#readBacks = Array.from({length: inFlight}, () => this.own(new ReadBack(gpu, label)));
  }

  /** Submits batches until the state says that all is done. When it settles, nothing of the loop is under way. */
  async run<Phase extends string, Span extends string, L extends StateLayout>(
    run: GpuRun<Phase, Span>,
    plan: BatchPlan<Phase, L>,
  ): Promise<BatchOutcome> {
    const {layout, pace} = plan;
    const inFlight = this.#readBacks.length;
    const states = this.#readBacks.map(() => new Uint32Array(layout.size / 4));
    const pending: Promise<unknown>[] = [];
    const watch = new StallWatch(plan.what);
    run.report(plan.phase, 0);
    try {
      for (let batch = 0, rounds = 0; rounds < plan.maxRounds; batch++) {
        const slot = batch % inFlight;
        if (batch >= inFlight) {
          await pending[slot];
          const state = states[slot];
          const isDone = state[wordOf<StateLayout>(layout, 'isDone')] === 1;
          pace.look();
          report(run, plan, state, isDone);
          await plan.look?.(state, isDone);
          run.throwIfAborted(plan.phase);
          if (isDone) return {state, batches: batch};
          watch.look(state);
        }
        await run.makeRoom(plan.spans);
        const count = pace.next;
        const encoder = this.#gpu.device.createCommandEncoder();
        plan.record(encoder, count);
        this.#gpu.device.queue.submit([encoder.finish()]);
        rounds += count;
        pending[slot] = this.#readBacks[slot].read(plan.state, states[slot]);
        // A lost device fails all of them. The loop reports the first; the others must not go unhandled.
        pending[slot].catch(() => undefined);
        plan.submitted?.(batch);
      }
      throw new Error(`${plan.what} not done after ${plan.maxRounds} rounds`);
    } finally {
      // The next run reads through the same staging.
      await Promise.allSettled(pending);
    }
  }
}

/** The end is reported as the whole. */
function report<Phase extends string, Span extends string, L extends StateLayout>(
  run: GpuRun<Phase, Span>,
  {phase, layout, progress}: BatchPlan<Phase, L>,
  state: Uint32Array,
  isDone: boolean,
): void {
  if (isDone) run.reportPart(phase, 1);
  else if (typeof progress === 'string') run.report(phase, state[wordOf(layout, progress)]);
  else run.reportPart(phase, Math.min(PART_MAX, progress(state)));
}

class StallWatch {
  readonly #what: string;
  #last: Uint32Array = new Uint32Array(0);
  #stillLooks = 0;

  constructor(what: string) {
    this.#what = what;
  }

  look(state: Uint32Array): void {
    const isStill = state.length === this.#last.length && state.every((word, k) => word === this.#last[k]);
    this.#stillLooks = isStill ? this.#stillLooks + 1 : 0;
    this.#last = state.slice();
    // The device says why in an error scope, which `Gpu.guard` reports.
    if (this.#stillLooks >= MAX_STILL_LOOKS) throw new Error(`the ${this.#what} makes no progress`);
  }
}
