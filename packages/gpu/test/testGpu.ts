import {afterAll, beforeAll, describe} from 'vitest';
import {GpuUnavailableError} from '@epsball/clustering';
import {findAdapter, openGpu, type AdapterChoice, type AdapterKind, type Gpu} from '@epsball/gpu';

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

/** The kind of adapter that EPSBALL_ADAPTER names or the tests find; undefined without an adapter. */
async function findKind(): Promise<AdapterKind | undefined> {
  try {
    return (await findAdapter()).kind;
  } catch (error) {
    if (error instanceof GpuUnavailableError) return undefined;
    throw error;
  }
}

const missing = await whyNot();

/**
 * Whether kernels cost too much for all tests of a short run: SwiftShader compiles those of a variant, a dimension and
 * a precision for seconds. False in `pnpm test:all`.
 */
export const HAS_SLOW_COMPILER: boolean =
  Number(process.env.EPSBALL_SHARE ?? 0) < 1 && (await findKind()) === 'bundled';

/**
 * `describe` for tests on the adapter that EPSBALL_ADAPTER names. Without an adapter, the report counts them as
 * skipped, and stderr gives the reason. With REQUIRE_GPU=1, as in CI, they run and fail.
 */
export function describeGpu(name: string, body: () => void): void {
  describeUnless(missing, name, body);
}

/**
 * `describeGpu` for tests of kernels that SwiftShader compiles for half a minute and longer. A short run there leaves
 * them out and says so on stderr: with them it takes 11 minutes on two cores, without them 8. They run on every other
 * adapter, and there in `pnpm test:all`. The conformance tests of the variants run the same kernels in short runs, too.
 */
export function describeLongGpu(name: string, body: () => void): void {
  const tooLong = HAS_SLOW_COMPILER ? 'SwiftShader compiles it for half a minute; pnpm test:all runs it' : undefined;
  describeUnless(missing ?? tooLong, name, body);
}

function describeUnless(reason: string | undefined, name: string, body: () => void): void {
  if (reason !== undefined) process.stderr.write(`skipped: ${name}: ${reason}\n`);
  describe.runIf(reason === undefined)(name, body);
}

/** Objects by name that a test makes and must destroy. */
export type Owned = Record<string, {destroy(): void}>;

/**
 * Opens a GPU before the tests of the surrounding `describe`, and makes objects on it. After the tests, it destroys the
 * objects, the last first, and then the GPU. If `make` fails, the GPU is destroyed with all that is on it.
 *
 * @param make  returns the objects by name
 * @returns     the GPU and the objects, which exist only while tests and hooks run
 */
export function withGpu<Made extends Owned = {gpu: Gpu}>(
  make?: (gpu: Gpu) => Made | Promise<Made>,
): Readonly<{gpu: Gpu} & Made> {
  const rig = {} as {gpu: Gpu} & Made;
  const owned: {destroy(): void}[] = [];
  beforeAll(async () => {
    rig.gpu = await openGpu();
    owned.push(rig.gpu);
    const made = await make?.(rig.gpu);
    owned.push(...Object.values(made ?? {}));
    Object.assign(rig, made);
  });
  afterAll(() => {
    for (const one of owned.toReversed()) one.destroy();
  });
  return rig;
}
