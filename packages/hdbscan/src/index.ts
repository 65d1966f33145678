export {
  HDBSCAN_PHASES,
  type CondensedTree,
  type HdbscanAlgorithm,
  type HdbscanParams,
  type HdbscanPhase,
  type HdbscanResult,
  type HdbscanRunOptions,
  type HdbscanStats,
} from './algorithm.ts';
export type {Fallback} from '@epsball/clustering/catalogue';
export {hdbscanCatalogue, type HdbscanRow} from './catalogue.ts';
export {
  createHdbscan,
  hdbscan,
  HDBSCAN_GPU_PAYS_FROM,
  type CreateHdbscanOptions,
  type Hdbscan,
  type HdbscanOptions,
  type HdbscanRan,
} from './hdbscan.ts';
export type {HdbscanRequest} from './request.ts';
export {createHdbscanSequential} from './hdbscanSequential.ts';
