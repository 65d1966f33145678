export {createMeanShiftWorkers, createShiftWorkers, type MeanShiftWorkersOptions} from './workers.ts';
