// A page writes no files. `output.ts` has the same names.
import type * as output from './output.ts';

function refuse(): never {
  throw new Error('this function of @epsball/datasets needs Node; a page has no files to write');
}

export const checkWritable: typeof output.checkWritable = refuse;
export const datasetHash: typeof output.datasetHash = refuse;
export const findInput: typeof output.findInput = refuse;
export const identify: typeof output.identify = refuse;
export const tableBlocks: typeof output.tableBlocks = refuse;
export const writeContent: typeof output.writeContent = refuse;
export const writeFileAtomically: typeof output.writeFileAtomically = refuse;
export const writeGeoJson: typeof output.writeGeoJson = refuse;
export const writeLabels: typeof output.writeLabels = refuse;
export const writeNpyRows: typeof output.writeNpyRows = refuse;
export const writePoints: typeof output.writePoints = refuse;
export const writeTable: typeof output.writeTable = refuse;
