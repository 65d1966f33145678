export {type DevicePoints, type DevicePointScale} from './points/devicePoints.ts';
export type {MeanShiftGpu} from './deviceMeanShift.ts';
export {createMeanShiftGpu, type MeanShiftGpuOptions} from './meanShiftGpu.ts';
export {createShiftGpu, type ShiftGpuOptions} from './shiftGpu.ts';
