export {CandidateQuery} from './candidateQuery.ts';
export {projectPoints, type KeyColumns, type PrincipalAxes, type Projection} from './projection.ts';
export {buildQuantileDirectory, type QuantileDirectory, type QuantileDirectoryOptions} from './quantileDirectory.ts';
export {directoryShape, type DirectoryShape, type DirectoryShapeOptions} from './shape.ts';
