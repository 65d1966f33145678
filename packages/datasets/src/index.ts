/// <reference types="node" preserve="true" />
export {type GenerateOptions, type GeneratorOptions, type GeneratorPhase, type Precision} from './coords.ts';
export {embeddings} from './generators/embeddings.ts';
export {gaussians, gaussians3d, spots, spotsEps} from './generators/gaussians.ts';
export {halos, halosEps} from './generators/halos.ts';
export {latticeBlockLabels, latticeBlocks} from './generators/latticeBlocks.ts';
export {milanesi} from './generators/milanesi.ts';
export {duplicates, lattice, line, spiral, uniform} from './generators/regular.ts';
export {aniso, blobs, circles, moons, noStructure, varied} from './generators/scikitLearn.ts';
export {traffic, type Traffic} from './generators/traffic.ts';
export {tweets} from './generators/tweets.ts';
export {datasets, type DatasetSpec} from './registry.ts';
export {generateDataset, parseDatasetSpec, type DatasetRequest} from './spec.ts';
export {readCsvBatches, readCsvStream, type CsvOptions, type CsvStream} from './formats/csv.ts';
export {isTime, withoutCounters} from './formats/counters.ts';
export {parquetColumns} from './formats/containers.ts';
export {checkCsvFormat, toNumber, type CsvFormat} from './formats/csvFormat.ts';
export {groupNameOf, GroupNames, type PointGroups} from './formats/groups.ts';
export {timeOf} from './formats/times.ts';
export {POINT_EXTENSIONS, READ_EXTENSIONS} from './formats/extensions.ts';
export {columnsToRead, findColumn, type ColumnChoice, type NamedChoice} from './formats/columnChoice.ts';
export {pointAxes, withPointAxes, type PointColumns} from './formats/pointColumns.ts';
export {DatasetFormatError, DatasetWriteError, escapeControls} from './formats/errors.ts';
export {type LoadedPoints, type ReadPrecision, type RowRange} from './formats/numbers.ts';
export {type LabelColumn, type LabelColumns, type WriteOptions} from './formats/rows.ts';
export {npyHeader} from './formats/npy.ts';
export {readBytes, readWholeFile, withOpenFile, type Input, type OpenFile} from './formats/openFile.ts';
export {readLabels, type ReadLabelsOptions} from './formats/readLabels.ts';
export {readPoints, type ReadPointsOptions} from './formats/points.ts';
export {memoryBytes} from '#host';
export {
  checkWritable,
  datasetHash,
  findInput,
  identify,
  tableBlocks,
  writeContent,
  writeFileAtomically,
  writeGeoJson,
  writeLabels,
  writeNpyRows,
  writePoints,
  writeTable,
} from '#output';
// Not `export {type …}`, which would load the writers in a page.
export type {GeoJsonColumns} from './formats/writePoints.ts';
