export {assignNoise} from './assignNoise.ts';
export {createModel} from './createModel.ts';
export {
  HdbscanModel,
  type HdbscanClustering,
  type HdbscanModelParams,
  type HdbscanModelState,
  type HdbscanPrediction,
} from './hdbscanModel.ts';
export {DbscanModel, type ModelParams, type ModelState} from './model.ts';
export {loadModel, saveModel} from './modelFile.ts';
