export {createGridBfsGpu} from './gridBfsGpu.ts';
