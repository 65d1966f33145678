import type {BufferSlice, Gpu} from '@epsball/gpu';
import type {BeginPass, GraphOptions} from './neighborGraph.ts';
import {isShort, type Encode, type RowSteps} from './rowSteps.ts';

/**
 * Submits steps one by one, with at most two on the device at a time, so that a long graph can be aborted between two
 * steps. Does not wait if there is only one.
 */
async function submitSteps(
  {device}: Gpu,
  {beginPass, options}: {readonly beginPass: BeginPass; readonly options: GraphOptions},
  steps: readonly Encode[],
): Promise<void> {
  let before: Promise<undefined> | undefined;
  for (const [k, step] of steps.entries()) {
    if (k > 0) await options.betweenSteps?.();
    const encoder = device.createCommandEncoder();
    const pass = beginPass(encoder);
    step(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
    if (steps.length === 1) return;
    const done = device.queue.onSubmittedWorkDone();
    // If the run ends here, its rejection is not awaited.
    done.catch(() => undefined);
    await before;
    before = done;
  }
}

/**
 * Submits a job's steps.
 *
 * @param count  returns the number of undecided rows; called for long jobs, after the certain steps are submitted
 */
export async function submitJob(
  gpu: Gpu,
  making: {readonly beginPass: BeginPass; readonly options: GraphOptions},
  job: RowSteps,
  count: () => Promise<number> | number,
): Promise<void> {
  const {certain, isLong, undecided} = job;
  if (isShort(job)) {
    await submitSteps(gpu, making, [inOne([...certain, ...undecided()])]);
    return;
  }
  await submitSteps(gpu, making, certain);
  await submitSteps(gpu, making, undecided(isLong ? await count() : undefined));
}

/** Joins steps into one. */
export function inOne(steps: readonly Encode[]): Encode {
  return (pass) => {
    for (const step of steps) step(pass);
  };
}

/** Fills buffer parts with 0; submits. */
export function clearBuffers({device}: Gpu, ...parts: readonly BufferSlice[]): void {
  const encoder = device.createCommandEncoder();
  clearParts(encoder, parts);
  device.queue.submit([encoder.finish()]);
}

/** Records the same. */
export function clearParts(encoder: GPUCommandEncoder, parts: readonly BufferSlice[]): void {
  for (const {buffer, offset, size} of parts) encoder.clearBuffer(buffer, offset, size);
}
