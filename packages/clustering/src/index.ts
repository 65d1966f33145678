export {
  DBSCAN_PHASES,
  emptyResult,
  NOISE,
  validateDbscanParams,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
} from './dbscan.ts';
export {
  DestroyedError,
  EpsballError,
  GpuDeviceLostError,
  GpuLimitError,
  GpuUnavailableError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  WorkerFailedError,
  type ErrorCode,
} from './errors.ts';
export {canonicalizeLabels} from './labels.ts';
export {squaredDistance, squaredEps} from './neighborhood.ts';
export {pointCount, validatePoints, validatePointShape, type PointSet} from './points.ts';
export {PhaseClock, throwIfAborted, type Progress, type ProgressListener, type RunOptions} from './progress.ts';
export {ProgressMeter} from './progressMeter.ts';
export {RunPacer} from './runPacer.ts';
export {RunQueue} from './runQueue.ts';
export {validateDim, validateRun, type VariantLimits} from './validateRun.ts';
