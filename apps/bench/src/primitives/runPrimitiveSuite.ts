import {
  countsOf,
  planSeries,
  primitiveCellSchema,
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
  const startedAt = performance.now();
  const earlier = earlierMeasured(options.earlierCells ?? []);
  const cells: PrimitiveCell[] = [];
  const keep = (cell: PrimitiveCell, ran = true): void => {
    cells.push(cell);
    options.onCell?.(cell, ran && cell.status !== 'leftOut');
    if (cell.status !== 'leftOut') options.log(`  ${describePrimitiveLine(cell)}`);
  };
  for (const {series, counts} of planPrimitives(suite, options)) {
    const isOfSeries = ({operation, implementation}: PrimitiveCell): boolean =>
      operation === series.operation.id &&
      (implementation === series.implementation || (implementation === 'copy' && series.implementation === 'gpu'));
    for (const cell of earlier.filter(isOfSeries)) keep(cell, false);
    const isDone = (count: number): boolean =>
      earlier.some((cell) => isOfSeries(cell) && cell.implementation !== 'copy' && cell.count === count);
    const profile = {...suite.profiles[options.profile], counts: counts.filter((count) => !isDone(count))};
    if (profile.counts.length === 0) continue;
    options.onStart?.(`${suite.id}: ${series.operation.id} ${series.implementation}`);
    const reason = whySeriesLeftOut(series, options, profile, (performance.now() - startedAt) / 1000);
    if (reason === null) await runSeries(series, profile, options, keep);
    else for (const key of keysOf(series, profile)) keep({...key, status: 'leftOut', reason});
  }
  return cells;
}

/** Every series with its counts, as far as `only` selects them. */
export function planPrimitives(
  suite: PrimitiveSuite,
  {profile, only}: Pick<RunSuiteOptions, 'profile' | 'only'>,
): {series: Series; counts: number[]}[] {
  return planSeries(suite)
    .map((series) => {
      const {operation, implementation} = series;
      const names = [operation.id, operation.family.toLowerCase()];
      const counts = countsOf(operation, suite.profiles[profile]).filter(
        (n) => only?.({names, backend: implementation, n}) !== false,
      );
      return {series, counts};
    })
    .filter(({counts}) => counts.length > 0);
}

function earlierMeasured(cells: readonly unknown[]): PrimitiveCell[] {
  return cells
    .flatMap((cell) => primitiveCellSchema.safeParse(cell).data ?? [])
    .filter(({status}) => status === 'measured');
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
