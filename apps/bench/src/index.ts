export {clusterReportSchema, type ClusterReport} from './cluster/outcome.ts';
export {main} from './main.ts';
