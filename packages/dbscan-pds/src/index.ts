export {createPdsSequential, type PdsOptions} from './pdsSequential.ts';
