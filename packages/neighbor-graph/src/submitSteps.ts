import type {Gpu} from '@epsball/gpu';
import type {BeginPass} from './graphPoints.ts';
import type {GraphOptions} from './neighborGraph.ts';
import type {Encode} from './rowKernels.ts';

/**
 * Submits steps one by one, each once the device is done with the last but one: so a long graph can be left between two.
 * Waits for nothing where there is one only.
 */
export async function submitSteps(
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
    // Where a run ends here nobody waits for it any more.
    done.catch(() => undefined);
    await before;
    before = done;
  }
}

/** Fills the first bytes of buffers with 0; submits. */
export function clearBuffers({device}: Gpu, ...parts: readonly (readonly [buffer: GPUBuffer, bytes: number])[]): void {
  const encoder = device.createCommandEncoder();
  for (const [buffer, bytes] of parts) encoder.clearBuffer(buffer, 0, bytes);
  device.queue.submit([encoder.finish()]);
}
