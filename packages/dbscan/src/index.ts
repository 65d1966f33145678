export {catalogue} from './catalogue.ts';
export type {CatalogueRow} from './catalogueRow.ts';
export {backendRanges, gpuPaysFrom, type BackendRange, type RunSize} from './predict.ts';
export {
  createDbscan,
  dbscan,
  type CreateDbscanOptions,
  type Dbscan,
  type DbscanOptions,
  type DbscanOutcome,
} from './dbscan.ts';
export {
  BACKENDS,
  describeAllowed,
  type Backend,
  type Fallback,
  type OptionValue,
  type VariantCreateOptions,
  type VariantOption,
  type VariantOptionValues,
} from '@epsball/clustering/catalogue';
export {explain, type DbscanExplanation} from './explain/explain.ts';
export {dbscanGraph, type DbscanGraphOptions, type DbscanGraphPhase, type DbscanGraphResult} from './dbscanGraph.ts';
export {groupBy, type DbscanGroup, type DbscanGroups} from './groupBy.ts';
export type {NeighborLists} from '@epsball/clustering';
export {createDeviceDbscan, type DeviceDbscan, type DeviceDbscanOptions} from './deviceDbscan.ts';
export type {DeviceDbscanAlgorithm, DeviceDbscanParams, DeviceInput, DeviceResult} from '@epsball/gpu';
export {prepareRun, type DbscanRequest, type PreparedRun} from './request.ts';
export {collapseDuplicates, keepPoints, KeptPoints, toPoints, type PointsInput} from '@epsball/clustering';
