export {
  cellSchema,
  isSameSubject,
  isSameWorkload,
  keyOf,
  keyText,
  measuredCellSchema,
  nameDataset,
  nameSubject,
  nameWorkload,
  timeOf,
  type Cell,
  type CellKey,
  type MeasuredCell,
  type Subject,
} from './cell.ts';
export {claims, documents, entryOf, peers, plainText, type DocumentEntry, type SourceDocument} from './documents.ts';
export {Evidence, nameQuery, type CellQuery, type Evaluated, type Part, type Quantity, type Term} from './evidence.ts';
export {figures, type ChartSpec, type Figure, type ShareSpec, type Stated, type TableSpec} from './figures.ts';
export {
  judge,
  VERDICT_NAMES,
  VERDICTS,
  type Claim,
  type JudgedRelation,
  type Judgement,
  type Relation,
  type Verdict,
} from './judge.ts';
export {
  findFailures,
  limitsOf,
  planSuite,
  whyLeftOut,
  type CellContext,
  type PlannableRow,
  type PlannedCell,
} from './plan.ts';
export {
  adapterSchema,
  machineName,
  measuredCells,
  resultFileSchema,
  type Adapter,
  type Machine,
  type ProfileName,
  type ResultFile,
} from './result.ts';
export {
  fitPower,
  LEAST_PROCESSES,
  logInterval,
  medianPhases,
  mergeTimings,
  quartilesOf,
  summarizeTimes,
  type Interval,
  type Timing,
} from './statistics.ts';
export type {Axis, MemoryLimits, Profile, Suite, Workload} from './suite.ts';
export {suites, suitesNamed} from './suites.ts';
export {PRIMITIVES, type PrimitiveId} from './suites/others.ts';
export {median as medianOf} from 'simple-statistics';
