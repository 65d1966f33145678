export {brokenPromises, isHostCounted} from './limits.ts';
export {
  cellKeyOf,
  DEFINITION_LIMIT,
  isSameSubject,
  nameSubject,
  planSuite,
  REFERENCE,
  whyLeftOut,
  type CellContext,
  type PlannableRow,
  type PlannedCell,
} from './plan.ts';
export {
  adapterSchema,
  measuredCellSchema,
  resultFileSchema,
  type Adapter,
  type Cell,
  type CellKey,
  type CellMemory,
  type FailedCell,
  type LeftOutCell,
  type Machine,
  type MeasuredCell,
  type ResultFile,
  type Verification,
} from './result.ts';
export {medianPhases, summarizeTimes, type Timing} from './statistics.ts';
export type {
  Axis,
  MemoryLimits,
  ProfileName,
  PublishedFigure,
  Subject,
  Suite,
  SuiteProfile,
  Workload,
} from './suite.ts';
export {suites} from './suites.ts';
