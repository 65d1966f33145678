export {type DevicePoints, type DevicePointScale} from './points/devicePoints.ts';
export {latticeBound} from './lattice/latticeBound.ts';
export {createMeanShiftGpu, type LabelResult, type MeanShiftGpu, type MeanShiftGpuOptions} from './meanShiftGpu.ts';
export {createShiftGpu, type ShiftGpuOptions} from './shift/shiftGpu.ts';
