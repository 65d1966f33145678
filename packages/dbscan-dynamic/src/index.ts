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
