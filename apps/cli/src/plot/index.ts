export {fitFrame} from './frame.ts';
export {assignColors, locateClusters} from './palette.ts';
export {rasterizePoints} from './raster.ts';
