export {
  HDBSCAN_PHASES,
  type CondensedTree,
  type HdbscanAlgorithm,
  type HdbscanHierarchy,
  type HdbscanHierarchyResult,
  type HdbscanParams,
  type HdbscanPhase,
  type HdbscanResult,
  type HdbscanRunOptions,
  type HdbscanSelection,
  type HdbscanSelectionParams,
  type HdbscanStats,
  type HdbscanTreeParams,
  type Reachability,
  type SpanningEdges,
} from './algorithm.ts';
export type {Fallback} from '@epsball/clustering/catalogue';
export {hdbscanCatalogue, type HdbscanRow} from './catalogue.ts';
export {
  createHdbscan,
  hdbscan,
  hierarchy,
  HDBSCAN_GPU_PAYS_FROM,
  type CreateHdbscanOptions,
  type Hdbscan,
  type HdbscanOptions,
  type HdbscanRan,
  type HierarchyOptions,
} from './hdbscan.ts';
export type {HdbscanRequest, HierarchyRequest} from './request.ts';
export {createHdbscanSequential} from './hdbscanSequential.ts';
export {
  hdbscanGraph,
  type DistanceLists,
  type HdbscanGraphParams,
  type HdbscanGraphPhase,
  type HdbscanGraphResult,
} from './hdbscanGraph.ts';
export {groupBy, type HdbscanGroup, type HdbscanGroups} from './groupBy.ts';
export {explain, type HdbscanExplanation} from './explain.ts';
export {assignNoise, type AssignNoiseOptions} from './memberships/assignNoise.ts';
export {memberships, type MembershipOptions, type Memberships} from './memberships/memberships.ts';
export type {Exemplars} from './memberships/exemplars.ts';
export {validity, type ClusterValidity, type ValidityOptions, type ValidityResult} from './validity/validity.ts';
export type {ValidityPhase} from './validity/engine.ts';
