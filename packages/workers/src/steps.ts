import {checkInteger, InvalidParameterError} from '@epsball/clustering';
import type {Step} from './wave.ts';
import {chunkCount, firstChunk, openChunkCount, openChunks, writeBounds, type WaveMemory} from './waveMemory.ts';

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

/**
 * @throws InvalidParameterError  if there is no step, a step has no chunk, bounds do not ascend, or an open step
 * follows a closed one
 */
export function checkSteps(steps: readonly Step<string>[]): void {
  if (steps.length === 0) throw new InvalidParameterError('steps.length', 0, 'an integer ≥ 1');
  steps.forEach(({bounds}, k) => {
    const name = `steps[${k}].bounds`;
    if (typeof bounds === 'number') {
      checkInteger(name, bounds, 1);
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
