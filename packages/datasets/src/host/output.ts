// What writes files, in Node alone. `noOutput.ts` has the same names.
export {checkWritable, writeContent, writeFileAtomically} from '../formats/outputFile.ts';
export {findInput, identify} from '../formats/outputTarget.ts';
export {tableBlocks, writeLabels} from '../formats/writeLabels.ts';
export {writeGeoJson, writePoints} from '../formats/writePoints.ts';
export {writeNpyRows, writeTable} from '../formats/writeTable.ts';
export {datasetHash} from '../hash.ts';
