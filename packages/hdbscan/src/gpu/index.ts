export {createHdbscanGpu, HDBSCAN_GPU_DIM_MAX, type HdbscanGpuOptions} from './hdbscanGpu.ts';
