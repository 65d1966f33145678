export {assignNoise, createModel, DbscanModel, type ModelParams, type ModelState} from './model.ts';
export {loadModel, saveModel} from './modelFile.ts';
