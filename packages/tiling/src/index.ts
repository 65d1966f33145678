export {type AdjacentClusters} from './adjacentClusters.ts';
export {joinReports, type JoinedRange, type RangeReport} from './joinReports.ts';
export {globalLabel, labelCandidates, mergeClusters, type MergedClusters} from './mergeClusters.ts';
export {planTiling, type PlanOptions, type TilingPlan} from './planTiling.ts';
export {reachOf} from './reach.ts';
export {TileRouter, type RoutedPoints} from './router.ts';
export {type LocalLabels, type TilePoints} from './tilePoints.ts';
export {reportTile, type Band, type TileReport} from './tileReport.ts';
export {refineTiling, tileBoxes, tilingFromCuts, type Cut, type CutTree, type TileBox, type Tiling} from './tiling.ts';
