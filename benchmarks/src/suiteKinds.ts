import type {z} from 'zod';
import {brokenPromises} from './dbscan/limits.ts';
import {dbscanCellSchema} from './dbscan/result.ts';
import {failedHdbscan} from './hdbscan/plan.ts';
import {hdbscanCellSchema} from './hdbscan/result.ts';
import {failedMeanShifts, runsOnGpu} from './meanShift/plan.ts';
import {meanShiftCellSchema} from './meanShift/result.ts';
import {failedPrimitives} from './primitives/plan.ts';
import {primitiveCellSchema} from './primitives/result.ts';
import type {Adapter} from './machine.ts';
import type {CellOf, SuiteKind, SuiteOf} from './suite.ts';

/** What this package knows about a kind of suite. */
interface KindFacts<Kind extends SuiteKind> {
  readonly cellSchema: z.ZodType<CellOf<Kind>>;
  /** Whether a cell needs an adapter. */
  readonly needsGpu: (cell: CellOf<Kind>) => boolean;
  /** Failed cells and broken limits of a run, one sentence each. */
  readonly findFailures: (suite: SuiteOf<Kind>, cells: readonly CellOf<Kind>[], adapter: Adapter | null) => string[];
}

export const suiteKinds: {readonly [Kind in SuiteKind]: KindFacts<Kind>} = {
  dbscan: {
    cellSchema: dbscanCellSchema,
    needsGpu: ({backend}) => backend === 'gpu',
    findFailures: (suite, cells, adapter) => brokenPromises(suite, {cells, adapter}),
  },
  primitives: {
    cellSchema: primitiveCellSchema,
    needsGpu: ({implementation}) => implementation !== 'javascript',
    findFailures: failedPrimitives,
  },
  'mean-shift': {
    cellSchema: meanShiftCellSchema,
    needsGpu: ({method}) => runsOnGpu(method),
    findFailures: failedMeanShifts,
  },
  hdbscan: {
    cellSchema: hdbscanCellSchema,
    needsGpu: ({method}) => method === 'gpu',
    findFailures: failedHdbscan,
  },
};
