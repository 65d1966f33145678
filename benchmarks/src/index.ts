export type {Failed, LeftOut} from './cell.ts';
export {isHostCounted} from './dbscan/limits.ts';
export {
  cellKeyOf,
  describeChoices,
  isSameSubject,
  nameSubject,
  planSuite,
  REFERENCE,
  referenceOf,
  whyLeftOut,
  type CellContext,
  type PlannableRow,
  type PlannedCell,
} from './dbscan/plan.ts';
export {
  measuredDbscanCellSchema,
  type CellMemory,
  type DbscanCell,
  type DbscanKey,
  type MeasuredDbscanCell,
  type Verification,
} from './dbscan/result.ts';
export type {PeerFigure} from './dbscan/peer.ts';
export type {
  Axis,
  DbscanSuite,
  MemoryLimits,
  PublishedFigure,
  Quantity,
  Subject,
  SubjectOptions,
  SuiteProfile,
  Workload,
} from './dbscan/suite.ts';
export {documents} from './documents/documents.ts';
export type {DocumentEntry, EntryKind, Shown, SourceDocument} from './documents/entry.ts';
export {plainText} from './documents/plainText.ts';
export type {Adapter, Machine} from './machine.ts';
export {fitExponential, fitPower, type Fit} from './fitPower.ts';
export {nameHdbscan, planHdbscan, whyHdbscanLeftOut} from './hdbscan/plan.ts';
export {hdbscanCellSchema, type HdbscanCell, type HdbscanKey, type MeasuredHdbscanCell} from './hdbscan/result.ts';
export type {HdbscanMethod, HdbscanProfile, HdbscanSuite} from './hdbscan/suite.ts';
export {describeFit, estimateMs, fitQuadratic} from './meanShift/estimate.ts';
export {
  isOurs,
  nameMeanShift,
  planMeanShift,
  runsOnGpu,
  USUAL_TILE,
  whyMeanShiftLeftOut,
  type MeanShiftSeries,
} from './meanShift/plan.ts';
export {
  meanShiftCellSchema,
  type MeanShiftCell,
  type MeanShiftKey,
  type MeasuredMeanShiftCell,
} from './meanShift/result.ts';
export type {
  MeanShiftFactor,
  MeanShiftFigure,
  MeanShiftMethod,
  MeanShiftProfile,
  MeanShiftSubject,
  MeanShiftSuite,
} from './meanShift/suite.ts';
export {operations, type OperationId} from './primitives/operations.ts';
export {
  namePrimitive,
  countsOf,
  planSeries,
  primitiveKeyOf,
  whyCountLeftOut,
  type CountContext,
  type Series,
} from './primitives/plan.ts';
export {
  primitiveCellSchema,
  type MeasuredPrimitiveCell,
  type PrimitiveCell,
  type PrimitiveKey,
} from './primitives/result.ts';
export type {
  Implementation,
  PrimitiveFigure,
  PrimitiveOperation,
  PrimitiveProfile,
  PrimitiveSuite,
} from './primitives/suite.ts';
export {
  adapterSchema,
  asksForGpu,
  resultFileSchema,
  type DbscanResultFile,
  type HdbscanResultFile,
  type MeanShiftResultFile,
  type PrimitiveResultFile,
  type ResultFile,
  type ResultFileOf,
} from './result.ts';
export {medianOf, medianPhases, mergeTimings, quartilesOf, summarizeTimes, type Timing} from './statistics.ts';
export type {CellOf, Suite, SuiteKind, SuiteOf} from './suite.ts';
export type {ProfileName, SuiteFacts} from './suiteFacts.ts';
export {suiteKinds} from './suiteKinds.ts';
export {suites} from './suites.ts';
export {dclustTable, type DclustTableRow} from './suites/dclustPaper.ts';
export {NVPROF} from './suites/nvprof.ts';
export {suitesNamed} from './suitesNamed.ts';
export {mean, sampleVariance} from 'simple-statistics';
