export {createGridBfsGpu, type DeviceInput, type DeviceResult, type GridBfsGpu} from './gridBfsGpu.ts';
