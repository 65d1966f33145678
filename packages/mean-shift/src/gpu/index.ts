export {createMeanShiftGpu, type LabelResult, type MeanShiftGpu} from './meanShiftGpu.ts';
export {createShiftGpu, type ShiftGpuOptions} from './shiftGpu.ts';
