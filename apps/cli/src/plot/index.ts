export {locateClusters} from './clusterSpots.ts';
export {fitFrame} from './frame.ts';
export {assignColors} from './palette.ts';
export {encodeIndexedPng} from './pngFile.ts';
export {rasterizePoints} from './raster.ts';
