import {InvalidParameterError} from '@epsball/clustering';
import type {Wave} from './wave.ts';
import type {Stage} from './stage.ts';
import {failWave, memberTimes, stageTimes, wakeIfEnded, type RunningWave} from './runningWave.ts';
import {runChunks, type NamedStages, type NamedTasks} from './runChunks.ts';
import {
  chunkCount,
  ENDED,
  enterWave,
  firstChunk,
  leaveWave,
  openChunkCount,
  openChunks,
  writeBounds,
  type WaveMemory,
} from './waveMemory.ts';

/** Several tasks over one input: a stage begins when the one before is done, without a word from the calling thread. */
export interface StagedWave<Input, Name extends string> extends Pick<Wave<Input>, 'input' | 'signal' | 'onProgress'> {
  /** Closed ones come last. */
  readonly stages: readonly Stage<Name>[];
}

/** By stage. */
export interface StagesOutcome {
  /** What the tasks returned, by chunk. */
  readonly results: readonly (readonly unknown[])[];
  /** Milliseconds that each thread was in chunks, by its number in the pool, and last the calling one. */
  readonly threadMs: readonly (readonly number[])[];
  /** From the end of the stage before, or the beginning, to the end. */
  readonly wallMs: readonly number[];
}

/** A staged wave under way. Who has begun one ends it: by `open` where stages are closed, or by `stop`. */
export interface StagesUnderWay<Input, Name extends string> {
  /**
   * Opens all closed stages.
   *
   * @param bounds  of each of them, for as many chunks as was said
   */
  open(bounds: readonly (readonly number[])[]): void;
  /**
   * Takes chunks on the calling thread as well, which is awake where others may have to wake up first. It keeps the event loop waiting: until no chunk is left, or
   * for `ms` and the chunk that it is at then. After `open`.
   *
   * @param tasks  by name
   */
  help(tasks: NamedTasks<Input, Name>, ms: number): void;
  /** Lets threads end the chunks that they are at; `ended` rejects, with `reason` as the cause. Does nothing to a wave that is over. */
  stop(reason: unknown): void;
  /** Rejects as `wave`. */
  readonly ended: Promise<StagesOutcome>;
}

/** Gives the closed stages of a wave their bounds, and lets threads begin with them. */
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
      const expectation = `${wanted}, for as many chunks as was said`;
      throw new InvalidParameterError(`bounds[${k}].length`, ofStage.length, expectation);
    }
    writeBounds(memory, first, ofStage);
  });
  openChunks(memory, chunkCount(memory));
}

/** Runs chunks of a wave on the calling thread, which is its last member, for so many milliseconds. */
export function helpWith<Input, Name extends string>(
  running: RunningWave<unknown>,
  named: NamedStages<Input, Name>,
  tasks: NamedTasks<Input, Name>,
  {member, ms}: {readonly member: number; readonly ms: number},
): void {
  const {memory, replies} = running;
  if (Atomics.load(memory.words, ENDED) === 1) return;
  const until = performance.now() + ms;
  enterWave(memory, member);
  replies.push({wave: 0, ...runChunks(named, tasks, member, until)});
  leaveWave(memory, member);
  // Others are at their last chunks; a turn of the event loop would take longer.
  while (Atomics.load(memory.words, ENDED) === 0 && performance.now() < until);
  wakeIfEnded(running);
}

/** Puts together what a wave that has ended leaves behind. */
export function stagesOutcome(running: RunningWave<unknown>, results: readonly unknown[]): StagesOutcome {
  const {memory} = running;
  return {
    results: Array.from(memory.ends, (end, stage) => results.slice(firstChunk(memory, stage), end)),
    threadMs: memberTimes(running),
    wallMs: stageTimes(running),
  };
}

/** Ends a wave early, unless it is over. */
export function stopStages(running: RunningWave<unknown>, reason: unknown): void {
  if (Atomics.load(running.memory.words, ENDED) === 1) return;
  failWave(running, reason);
}

/** @throws InvalidParameterError  if there is no stage, bounds are of no chunk or do not ascend, or an open stage follows a closed one */
export function checkStages(stages: readonly Stage<string>[]): void {
  if (stages.length === 0) throw new InvalidParameterError('stages.length', 0, 'an integer ≥ 1');
  stages.forEach(({bounds}, k) => {
    const name = `stages[${k}].bounds`;
    if (typeof bounds === 'number') {
      if (!Number.isInteger(bounds) || bounds < 1) throw new InvalidParameterError(name, bounds, 'an integer ≥ 1');
      return;
    }
    if (typeof stages[k - 1]?.bounds === 'number') {
      throw new InvalidParameterError(name, 'given', 'a number of chunks behind a closed stage');
    }
    if (bounds.length < 2) throw new InvalidParameterError(`${name}.length`, bounds.length, 'an integer ≥ 2');
    checkBounds(name, bounds);
  });
}

/** @throws InvalidParameterError  if bounds are none or do not ascend */
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
