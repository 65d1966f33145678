import {describe} from 'vitest';
import {GpuUnavailableError} from '@epsball/clustering';
import {findAdapter} from '@epsball/gpu';

const missing = await whyNot();

/** Why tests cannot run here; undefined where they can, or where REQUIRE_GPU=1 says they must. */
async function whyNot(): Promise<string | undefined> {
  if (process.env.REQUIRE_GPU === '1') return undefined;
  try {
    await findAdapter();
    return undefined;
  } catch (error) {
    if (error instanceof GpuUnavailableError) return error.message;
    throw error;
  }
}

/** `describe` for tests on the adapter that EPSBALL_ADAPTER names: without one they are skipped, and the report says why. */
export function describeGpu(name: string, body: () => void): void {
  if (missing === undefined) {
    describe(name, body);
    return;
  }
  process.stderr.write(`skipped: ${name}: ${missing}\n`);
  describe.skip(name, body);
}
