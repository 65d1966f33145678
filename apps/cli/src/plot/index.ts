export {fitFrame} from './frame.ts';
export {assignColors, locateClusters} from './palette.ts';
export {encodeIndexedPng} from './pngFile.ts';
export {rasterizePoints} from './raster.ts';
