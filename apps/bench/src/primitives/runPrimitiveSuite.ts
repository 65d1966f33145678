import {
  planSeries,
  primitiveKeyOf,
  type PrimitiveCell,
  type PrimitiveProfile,
  type PrimitiveSuite,
  type Series,
} from '@epsball/benchmarks';
import {listenToChild} from '../suite/childProcess.ts';
import type {RunSuiteOptions} from '../suite/runOptions.ts';
import {describePrimitiveLine} from './cellLine.ts';

/** From one reply of a child to the next: start-up, inputs, reference and checks of the largest count. */
const TIMEOUT_MS = 120_000;

/**
 * Runs a suite of primitives, one series after the other, each in a process of its own: one operation in one
 * implementation, at all counts, so that it is compiled once, as in an application.
 *
 * @throws the signal's reason  if `signal` fires
 */
export async function runPrimitiveSuite(suite: PrimitiveSuite, options: RunSuiteOptions): Promise<PrimitiveCell[]> {
  const profile = suite.profiles[options.profile];
  const startedAt = performance.now();
  const cells: PrimitiveCell[] = [];
  const keep = (cell: PrimitiveCell): void => {
    cells.push(cell);
    options.log(`  ${describePrimitiveLine(cell)}`);
  };
  for (const series of planSeries(suite)) {
    const reason = whySeriesLeftOut(series, options, profile, (performance.now() - startedAt) / 1000);
    if (reason === null) await runSeries(series, profile, options, keep);
    else for (const key of keysOf(series, profile)) keep({...key, status: 'leftOut', reason});
  }
  return cells;
}

function whySeriesLeftOut(
  {implementation}: Series,
  {profile, found}: RunSuiteOptions,
  {suiteSeconds}: PrimitiveProfile,
  elapsedSeconds: number,
): string | null {
  if (implementation === 'gpu' && found.adapterError !== null) return found.adapterError;
  return elapsedSeconds > suiteSeconds ? `the ${profile} profile’s ${suiteSeconds} s for this suite are used up` : null;
}

async function runSeries(
  series: Series,
  profile: PrimitiveProfile,
  {adapter, signal}: RunSuiteOptions,
  keep: (cell: PrimitiveCell) => void,
): Promise<void> {
  const answered = new Set<number>();
  let failure: string | undefined;
  const ending = await listenToChild(
    {kind: 'series', ...series, profile, adapter},
    {timeoutMs: TIMEOUT_MS, signal},
    (reply) => {
      if (reply.status === 'failed') failure = reply.error;
      if (reply.status !== 'primitive') return;
      answered.add(reply.cell.count);
      keep(reply.cell);
    },
  );
  const error = failure ?? (ending.status === 'stopped' ? `stopped after ${ending.seconds} s` : ending.error);
  // The first count without a reply ended the child, so the later counts did not run.
  const [first, ...rest] = keysOf(series, profile).filter(({count}) => !answered.has(count));
  if (first !== undefined) keep({...first, status: 'failed', error});
  for (const key of rest) keep({...key, status: 'leftOut', reason: `a smaller count failed: ${error}`});
}

function keysOf({operation, implementation}: Series, {counts}: PrimitiveProfile): ReturnType<typeof primitiveKeyOf>[] {
  return counts.map((count) => primitiveKeyOf(operation, implementation, count));
}
