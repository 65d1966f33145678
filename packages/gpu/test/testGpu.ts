import {describe} from 'vitest';
import {GpuUnavailableError} from '@epsball/clustering';
import {findAdapter, type AdapterChoice} from '@epsball/gpu';

/** Why tests on this kind of adapter cannot run here; undefined where they can, or where REQUIRE_GPU=1 says they must. */
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

/** `describe` for tests on the adapter that EPSBALL_ADAPTER names: without one they are skipped, and the report says why. */
export function describeGpu(name: string, body: () => void): void {
  if (missing === undefined) {
    describe(name, body);
    return;
  }
  process.stderr.write(`skipped: ${name}: ${missing}\n`);
  describe.skip(name, body);
}
