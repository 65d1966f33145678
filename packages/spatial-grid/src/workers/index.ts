export {openSharedGrid, type SharedGrid} from './sharedGrid.ts';
export {SharedGridBuilder, type SharedGridBuild, type SharedGridOptions} from './sharedGridBuilder.ts';
