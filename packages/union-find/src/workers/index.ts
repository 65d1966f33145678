export {numberClusters} from './numberClusters.ts';
export type {Numbering} from './numberingTasks.ts';
