import {InvalidParameterError} from '@epsball/clustering';
import type {Wave} from './wave.ts';
import type {Step} from './step.ts';
import {stepTimes, threadTimes, type RunningWave} from './runningWave.ts';
import {chunkCount, firstChunk, openChunkCount, openChunks, writeBounds, type WaveMemory} from './waveMemory.ts';

/** Several tasks over one input. A step begins when the step before is done, without the calling thread. */
export interface SteppedWave<Input, Name extends string> extends Pick<Wave<Input>, 'input' | 'signal' | 'onProgress'> {
  /** In order; closed steps come last. */
  readonly steps: readonly Step<Name>[];
}

/** Outcome of a wave of steps, by step. */
export interface StepsOutcome {
  /** Results of the tasks, by chunk. */
  readonly results: readonly (readonly unknown[])[];
  /** Milliseconds that each thread worked on chunks, by its number in the pool. */
  readonly threadMs: readonly (readonly number[])[];
  /** Milliseconds from the end of the step before, or from the order, to the end of the step. */
  readonly wallMs: readonly number[];
}

/**
 * A wave of steps that runs. The caller must call `open` or `stop` if steps are closed; otherwise the wave never
 * ends.
 */
export interface StepsUnderWay {
  /**
   * Opens all closed steps.
   *
   * @param bounds  bounds of each closed step, for the number of chunks that it was given
   */
  open(bounds: readonly (readonly number[])[]): void;
  /**
   * Stops the wave: each thread finishes its chunk, and `ended` rejects with `reason` as the cause. Has no effect on
   * a wave that has ended.
   */
  stop(reason: unknown): void;
  /** Rejects as `WorkerPool.wave` does. */
  readonly ended: Promise<StepsOutcome>;
}

/** Sets the bounds of the closed steps of a wave and opens them. */
export function openSteps(memory: WaveMemory, bounds: readonly (readonly number[])[]): void {
  const {ends} = memory;
  const open = openChunkCount(memory);
  const firstClosed = ends.length - ends.filter((end) => end > open).length;
  if (bounds.length !== ends.length - firstClosed) {
    throw new InvalidParameterError('bounds.length', bounds.length, `${ends.length - firstClosed}, the closed steps`);
  }
  bounds.forEach((ofStep, k) => {
    const first = firstChunk(memory, firstClosed + k);
    const wanted = ends[firstClosed + k] - first + 1;
    checkBounds(`bounds[${k}]`, ofStep);
    if (ofStep.length !== wanted) {
      const expectation = `${wanted}, one more than the chunks of the step`;
      throw new InvalidParameterError(`bounds[${k}].length`, ofStep.length, expectation);
    }
    writeBounds(memory, first, ofStep);
  });
  openChunks(memory, chunkCount(memory));
}

/** Collects the outcome of a wave that has ended. */
export function stepsOutcome(running: RunningWave<unknown>, results: readonly unknown[]): StepsOutcome {
  const {memory} = running;
  return {
    results: Array.from(memory.ends, (end, step) => results.slice(firstChunk(memory, step), end)),
    threadMs: threadTimes(running),
    wallMs: stepTimes(running),
  };
}

/**
 * @throws InvalidParameterError  if there is no step, a step has no chunk, bounds do not ascend, or an open step
 * follows a closed one
 */
export function checkSteps(steps: readonly Step<string>[]): void {
  if (steps.length === 0) throw new InvalidParameterError('steps.length', 0, 'an integer ≥ 1');
  steps.forEach(({bounds}, k) => {
    const name = `steps[${k}].bounds`;
    if (typeof bounds === 'number') {
      if (!Number.isInteger(bounds) || bounds < 1) throw new InvalidParameterError(name, bounds, 'an integer ≥ 1');
      return;
    }
    if (typeof steps[k - 1]?.bounds === 'number') {
      throw new InvalidParameterError(name, 'given', 'a number of chunks, because the step before is closed');
    }
    if (bounds.length < 2) throw new InvalidParameterError(`${name}.length`, bounds.length, 'an integer ≥ 2');
    checkBounds(name, bounds);
  });
}

/** @throws InvalidParameterError  if `bounds` is empty or does not ascend */
export function checkBounds(name: string, bounds: readonly number[]): void {
  if (bounds.length === 0) throw new InvalidParameterError(`${name}.length`, 0, 'an integer ≥ 1');
  let low = 0;
  bounds.forEach((bound, k) => {
    if (!Number.isInteger(bound) || bound < low) {
      throw new InvalidParameterError(`${name}[${k}]`, bound, `an integer ≥ ${low}`);
    }
    low = bound;
  });
}
