export {createCellSetsWorkers, type CellSetsWorkersOptions} from './cellSetsWorkers.ts';
