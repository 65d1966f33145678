export {createShiftWorkers, type ShiftWorkersOptions} from './shiftWorkers.ts';
