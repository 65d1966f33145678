export {createMeanShiftWorkers, type MeanShiftWorkersOptions} from './meanShiftWorkers.ts';
export {createShiftWorkers, type ShiftWorkersOptions} from './shiftWorkers.ts';
