export {createMeanShiftGpu, type LabelResult, type MeanShiftGpu, type MeanShiftGpuOptions} from './meanShiftGpu.ts';
export {createShiftGpu, type ShiftGpuOptions} from './shiftGpu.ts';
