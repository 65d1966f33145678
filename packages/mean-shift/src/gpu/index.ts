export {type DevicePoints, type DevicePointScale} from './points/devicePoints.ts';
export {latticeBound} from './lattice/latticeBound.ts';
export {createMeanShiftGpu} from './meanShiftGpu.ts';
export type {MeanShiftGpu, MeanShiftGpuOptions} from './meanShiftGpuTypes.ts';
export {createShiftGpu} from './shift/shiftGpu.ts';
export type {ShiftGpuOptions} from './shift/shiftGpuOptions.ts';
