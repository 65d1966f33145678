export {createDenseGridGpu} from './denseGridGpu.ts';
