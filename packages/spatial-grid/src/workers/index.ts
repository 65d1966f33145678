export {SharedGridBuilder, type SharedGridBuild, type SharedGridOptions} from './sharedGridBuilder.ts';
