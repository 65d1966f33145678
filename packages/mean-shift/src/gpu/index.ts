export {type DevicePoints, type DevicePointScale} from './devicePoints.ts';
export {latticeBound} from './latticeBound.ts';
export {createMeanShiftGpu, type LabelResult, type MeanShiftGpu, type MeanShiftGpuOptions} from './meanShiftGpu.ts';
export {createShiftGpu, type ShiftGpuOptions} from './shiftGpu.ts';
