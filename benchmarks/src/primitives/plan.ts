import type {PrimitiveCell, PrimitiveKey} from './result.ts';
import type {Implementation, PrimitiveOperation, PrimitiveProfile, PrimitiveSuite} from './suite.ts';

/** One operation in one implementation at every count of a profile: what one child process measures. */
export interface Series {
  readonly operation: PrimitiveOperation;
  /** The copies are measured by the series of `gpu`, between its repeats. */
  readonly implementation: Exclude<Implementation, 'copy'>;
}

/** State before a count starts. */
export interface CountContext {
  readonly implementation: Implementation;
  /** The adapter is a software one. */
  readonly softwareGpu: boolean;
  /** Seconds that one run took at the count before, or null. */
  readonly previous: {readonly count: number; readonly runSeconds: number} | null;
}

/** Every operation with ours first, in running order. */
export function planSeries(suite: PrimitiveSuite): Series[] {
  return suite.operations.flatMap((operation): Series[] => [
    {operation, implementation: 'gpu'},
    {operation, implementation: 'javascript'},
  ]);
}

/** The counts of an operation, ascending. */
export function countsOf({id}: PrimitiveOperation, {counts, largest}: PrimitiveProfile): number[] {
  return largest?.operations.some((one) => one === id) === true ? [...counts, largest.count] : [...counts];
}

/** Why a count is left out, or null where it runs. Work grows with the count; a sort's a little faster. */
export function whyCountLeftOut(profile: PrimitiveProfile, count: number, context: CountContext): string | null {
  const {softwareGpuMaxCount, runSeconds} = profile;
  if (context.implementation === 'gpu' && context.softwareGpu && count > softwareGpuMaxCount) {
    return `software GPU adapter: at most ${softwareGpuMaxCount.toLocaleString('en-US')} elements`;
  }
  const {previous} = context;
  if (previous === null) return null;
  const expected = previous.runSeconds * (count / previous.count);
  return expected > runSeconds ? `one run is expected to take more than ${runSeconds} s` : null;
}

/** The key of the cell that measures an implementation of an operation. */
export function primitiveKeyOf(
  {id, element}: PrimitiveOperation,
  implementation: Implementation,
  count: number,
): PrimitiveKey {
  return {operation: id, element, count, implementation};
}

/** `scan-exclusive-u32 gpu at 1,048,576`: for lines of progress and errors. */
export function namePrimitive({operation, implementation, count}: PrimitiveKey): string {
  return `${operation} ${implementation} at ${count.toLocaleString('en-US')}`;
}

/** The failed cells of a run, one sentence each. */
export function failedPrimitives(suite: PrimitiveSuite, cells: readonly PrimitiveCell[]): string[] {
  return cells.flatMap((cell) =>
    cell.status === 'failed' ? [`${suite.id}: ${namePrimitive(cell)}: ${cell.error}`] : [],
  );
}
