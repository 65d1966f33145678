import {describe} from 'vitest';
import {GpuUnavailableError} from '@epsball/clustering';
import {findAdapter, type AdapterChoice} from '@epsball/gpu';

/** Why tests on this kind of adapter cannot run here; undefined if they can, or must because of REQUIRE_GPU=1. */
export async function whyNot(choice: AdapterChoice = 'auto'): Promise<string | undefined> {
  if (process.env.REQUIRE_GPU === '1') return undefined;
  try {
    await findAdapter(choice);
    return undefined;
  } catch (error) {
    if (error instanceof GpuUnavailableError) return error.message;
    throw error;
  }
}

const missing = await whyNot();

/**
 * `describe` for tests on the adapter that EPSBALL_ADAPTER names. Without an adapter, the report counts them as
 * skipped, and stderr gives the reason. With REQUIRE_GPU=1, as in CI, they run and fail.
 */
export function describeGpu(name: string, body: () => void): void {
  if (missing !== undefined) process.stderr.write(`skipped: ${name}: ${missing}\n`);
  describe.runIf(missing === undefined)(name, body);
}
