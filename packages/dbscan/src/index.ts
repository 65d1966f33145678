export {catalogue} from './catalogue.ts';
export {
  BACKENDS,
  type Backend,
  type CatalogueRow,
  type DeviceAlgorithm,
  type VariantCreateOptions,
} from './catalogueRow.ts';
export {GPU_PAYS_FROM} from './choose.ts';
export {
  createDbscan,
  dbscan,
  type CreateDbscanOptions,
  type Dbscan,
  type DbscanOptions,
  type DbscanOutcome,
} from './dbscan.ts';
export {describeAllowed, type OptionValue, type VariantOption, type VariantOptionValues} from './variantOptions.ts';
export {createDeviceDbscan, type DeviceDbscan, type DeviceDbscanOptions} from './deviceDbscan.ts';
export type {DeviceInput, DeviceResult} from '@epsball/dbscan-grid-bfs/gpu';
