export type {ClusterReport} from './cluster/clusterReport.ts';
export {clusterReportSchema} from './cluster/clusterReportSchema.ts';
export {main} from './main.ts';
