export {BoundsReduction} from './boundsReduction.ts';
export {PointUploader, type DevicePoints} from './devicePoints.ts';
export {distanceBounds, type DistanceBounds} from './distanceBounds.ts';
export {GpuGridBuilder, type GpuGrid, type GpuGridOptions, type GridBindings} from './gpuGrid.ts';
export {writeNeighborhood} from './neighborhood.ts';
