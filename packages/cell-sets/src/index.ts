export {createCellSets, type CellSetsOptions} from './cellSets.ts';
export {checkIndex, type CellChoice, type IndexChoice} from './indexChoice.ts';
