import type {
  Implementation,
  MeasuredPrimitiveCell,
  PrimitiveCell,
  PrimitiveFigure,
  PrimitiveOperation,
  PrimitiveResultFile,
} from '@epsball/benchmarks';
import type {Run, SectionOf} from '../run.ts';

export type PrimitiveRun = Run<PrimitiveResultFile>;
export type PrimitiveSection = SectionOf<'primitives'>;

/** Operations that share a table and a chart. */
export interface Family {
  readonly name: string;
  readonly operations: readonly PrimitiveOperation[];
}

/** Family of operations that the suite no longer lists and older results still hold. */
const GONE = 'Other';

/** The families of the operations that ran, in the order of the suite. */
export function familiesOf({suite, runs}: PrimitiveSection): Family[] {
  const cells = runs.flatMap(({result}) => result.cells);
  const listed = suite.operations.filter(({id}) => cells.some(({operation}) => operation === id));
  const gone = new Map<string, PrimitiveOperation>();
  for (const {operation, element} of cells) {
    if (listed.some(({id}) => id === operation)) continue;
    gone.set(operation, {id: operation, family: GONE, title: operation, element, bytesPerElement: 0, traffic: ''});
  }
  const families = Map.groupBy([...listed, ...gone.values()], ({family}) => family);
  return [...families].map(([name, operations]) => ({name, operations}));
}

/** The counts of an operation in any of the runs, ascending. */
export function countsOf({runs}: PrimitiveSection, {id}: PrimitiveOperation): number[] {
  const cells = runs.flatMap(({result}) => result.cells).filter(({operation}) => operation === id);
  return [...new Set(cells.map(({count}) => count))].toSorted((a, b) => a - b);
}

/** The cell of a run, or undefined where the run has none. */
export function findCell(
  {result}: PrimitiveRun,
  {id}: PrimitiveOperation,
  count: number,
  implementation: Implementation,
): PrimitiveCell | undefined {
  return result.cells.find(
    (cell) => cell.operation === id && cell.count === count && cell.implementation === implementation,
  );
}

/** The same, where it was measured. */
export function findMeasured(...where: Parameters<typeof findCell>): MeasuredPrimitiveCell | undefined {
  const cell = findCell(...where);
  return cell?.status === 'measured' ? cell : undefined;
}

/** Useful GB/s on the device, or null without a device time. */
export function rateOf(cell: MeasuredPrimitiveCell | undefined): number | null {
  if (cell === undefined || cell.device === null || cell.device.medianMs === 0) return null;
  return cell.bytes / cell.device.medianMs / 1e6;
}

/** GB/s of ours over those of the copy beside it, or null where one is missing. */
export function shareOfCopy(run: PrimitiveRun, operation: PrimitiveOperation, count: number): number | null {
  const ours = rateOf(findMeasured(run, operation, count, 'gpu'));
  const copy = rateOf(findMeasured(run, operation, count, 'copy'));
  return ours === null || copy === null ? null : ours / copy;
}

/** Other libraries with figures of a family, in the order of the suite. */
export function librariesOf({suite}: PrimitiveSection, {operations}: Family): string[] {
  const figures = suite.published.filter((figure) => operations.some(({id}) => id === figure.operation));
  return [...new Set(figures.map(({library}) => library))];
}

export function findFigure(
  {suite}: PrimitiveSection,
  {id}: PrimitiveOperation,
  count: number,
  library: string,
): PrimitiveFigure | undefined {
  return suite.published.find(
    (figure) => figure.operation === id && figure.count === count && figure.library === library,
  );
}

/** `exclusive sum u32` */
export function operationName({title, element}: PrimitiveOperation): string {
  return `${title} ${element}`;
}
