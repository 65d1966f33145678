import {InvalidParameterError} from '@epsball/clustering';
import type {Wave} from './wave.ts';
import type {Stage} from './stage.ts';
import {failWave, stageTimes, threadTimes, type RunningWave} from './runningWave.ts';
import {chunkCount, ENDED, firstChunk, openChunkCount, openChunks, writeBounds, type WaveMemory} from './waveMemory.ts';

/** Several tasks over one input. A stage begins when the stage before is done, without the calling thread. */
export interface StagedWave<Input, Name extends string> extends Pick<Wave<Input>, 'input' | 'signal' | 'onProgress'> {
  /** In order; closed stages come last. */
  readonly stages: readonly Stage<Name>[];
}

/** Outcome of a wave of stages, by stage. */
export interface StagesOutcome {
  /** Results of the tasks, by chunk. */
  readonly results: readonly (readonly unknown[])[];
  /** Milliseconds that each thread worked on chunks, by its number in the pool. */
  readonly threadMs: readonly (readonly number[])[];
  /** Milliseconds from the end of the stage before, or from the order, to the end of the stage. */
  readonly wallMs: readonly number[];
}

/**
 * A wave of stages that runs. The caller must call `open` or `stop` if stages are closed; otherwise the wave never
 * ends.
 */
export interface StagesUnderWay {
  /**
   * Opens all closed stages.
   *
   * @param bounds  bounds of each closed stage, for the number of chunks that it was given
   */
  open(bounds: readonly (readonly number[])[]): void;
  /**
   * Stops the wave: each thread finishes its chunk, and `ended` rejects with `reason` as the cause. Has no effect on
   * a wave that has ended.
   */
  stop(reason: unknown): void;
  /** Rejects as `WorkerPool.wave` does. */
  readonly ended: Promise<StagesOutcome>;
}

/** Sets the bounds of the closed stages of a wave and opens them. */
export function openStages(memory: WaveMemory, bounds: readonly (readonly number[])[]): void {
  const {ends} = memory;
  const open = openChunkCount(memory);
  const firstClosed = ends.length - ends.filter((end) => end > open).length;
  if (bounds.length !== ends.length - firstClosed) {
    throw new InvalidParameterError('bounds.length', bounds.length, `${ends.length - firstClosed}, the closed stages`);
  }
  bounds.forEach((ofStage, k) => {
    const first = firstChunk(memory, firstClosed + k);
    const wanted = ends[firstClosed + k] - first + 1;
    checkBounds(`bounds[${k}]`, ofStage);
    if (ofStage.length !== wanted) {
      const expectation = `${wanted}, one more than the chunks of the stage`;
      throw new InvalidParameterError(`bounds[${k}].length`, ofStage.length, expectation);
    }
    writeBounds(memory, first, ofStage);
  });
  openChunks(memory, chunkCount(memory));
}

/** Collects the outcome of a wave that has ended. */
export function stagesOutcome(running: RunningWave<unknown>, results: readonly unknown[]): StagesOutcome {
  const {memory} = running;
  return {
    results: Array.from(memory.ends, (end, stage) => results.slice(firstChunk(memory, stage), end)),
    threadMs: threadTimes(running),
    wallMs: stageTimes(running),
  };
}

/** Ends a wave early, if it has not ended. */
export function stopStages(running: RunningWave<unknown>, reason: unknown): void {
  if (Atomics.load(running.memory.words, ENDED) === 1) return;
  failWave(running, reason);
}

/**
 * @throws InvalidParameterError  if there is no stage, a stage has no chunk, bounds do not ascend, or an open stage
 * follows a closed one
 */
export function checkStages(stages: readonly Stage<string>[]): void {
  if (stages.length === 0) throw new InvalidParameterError('stages.length', 0, 'an integer ≥ 1');
  stages.forEach(({bounds}, k) => {
    const name = `stages[${k}].bounds`;
    if (typeof bounds === 'number') {
      if (!Number.isInteger(bounds) || bounds < 1) throw new InvalidParameterError(name, bounds, 'an integer ≥ 1');
      return;
    }
    if (typeof stages[k - 1]?.bounds === 'number') {
      throw new InvalidParameterError(name, 'given', 'a number of chunks, because the stage before is closed');
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
