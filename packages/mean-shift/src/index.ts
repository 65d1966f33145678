export {binSeeds} from './binSeeds.ts';
export {estimateBandwidth, type EstimateBandwidthOptions} from './estimateBandwidth.ts';
export {gaussianCutBound} from './gaussianCut.ts';
export {
  MEAN_SHIFT_PHASES,
  type Assignment,
  type LabelResult,
  type MeanShiftAlgorithm,
  type MeanShiftParams,
  type MeanShiftPhase,
  type MeanShiftResult,
  type MeanShiftStats,
  type ShiftAlgorithm,
  type ShiftOptions,
  type ShiftParams,
  type ShiftResult,
} from './algorithm.ts';
export {meanShiftCatalogue, type MeanShiftRow, type MeanShiftVariant} from './catalogue.ts';
export {
  createMeanShift,
  meanShift,
  MEAN_SHIFT_GPU_PAYS_FROM,
  type CreateMeanShiftOptions,
  type MeanShift,
  type MeanShiftOptions,
  type MeanShiftRan,
  type MeanShiftRequest,
} from './meanShift.ts';
export {mergeModes, type MergedModes} from './modes/mergeModes.ts';
export {predictLabels, type PredictOptions} from './modes/predict.ts';
export {createMeanShiftSequential, createShiftSequential} from './sequential.ts';
