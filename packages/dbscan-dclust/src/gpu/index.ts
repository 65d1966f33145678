export {createDclustGpu} from './dclustGpu.ts';
