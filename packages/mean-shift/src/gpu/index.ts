export {createMeanShiftGpu, type LabelResult, type MeanShiftGpu} from './meanShiftGpu.ts';
