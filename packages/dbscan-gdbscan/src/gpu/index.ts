export {createGdbscanGpu} from './gdbscanGpu.ts';
export type {GdbscanGpuOptions} from './options.ts';
