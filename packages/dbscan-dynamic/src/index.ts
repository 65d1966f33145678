export type {ClusterChange} from './changeLog.ts';
export {
  createDynamicDbscan,
  restoreDynamicDbscan,
  type Clusters,
  type DynamicDbscan,
  type PointLabels,
  type PointUpdate,
} from './dynamicDbscan.ts';
export type {DynamicDbscanOptions} from './options.ts';
export type {PointChanges} from './pointHistory.ts';
export {
  createWindowDbscan,
  restoreWindowDbscan,
  type Window,
  type WindowDbscan,
  type WindowDbscanOptions,
  type WindowInsertOptions,
  type WindowView,
} from './windowDbscan.ts';
