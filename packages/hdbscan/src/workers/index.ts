export {createHdbscanWorkers, type HdbscanWorkersOptions} from './hdbscanWorkers.ts';
