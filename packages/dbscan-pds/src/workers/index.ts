export {createPdsWorkers, type PdsWorkersOptions} from './pdsWorkers.ts';
