export {denseCellTotal} from './cellSort.ts';
export {BoundsReduction} from './boundsReduction.ts';
export type {DevicePoints} from './devicePoints.ts';
export {LastGrid} from './lastGrid.ts';
export {PointUploader} from './pointUploader.ts';
export {PointWeights} from './pointWeights.ts';
export {distanceBounds, type DistanceBounds} from './distanceBounds.ts';
export {GpuGridBuilder, type GpuGrid, type GpuGridOptions, type GridBindings} from './gpuGrid.ts';
export {writeNeighborhood} from './neighborhood.ts';
