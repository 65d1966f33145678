export {createCellSets, type CellSetsOptions} from './cellSets.ts';
export type {CellChoice, IndexChoice} from './indexChoice.ts';
