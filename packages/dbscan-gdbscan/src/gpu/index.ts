export {createGdbscanGpu, type GdbscanGpuOptions} from './gdbscanGpu.ts';
