export {clusterReportSchema, type ClusterReport} from './cluster/clusterReport.ts';
export {main} from './main.ts';
