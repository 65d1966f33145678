/// <reference types="node" preserve="true" />
export {type GeneratorOptions, type Precision} from './coords.ts';
export {
  gaussians,
  gaussians3d,
  spots,
  spotsEps,
  type GaussiansOptions,
  type SpotsOptions,
} from './generators/gaussians.ts';
export {halos, halosEps} from './generators/halos.ts';
export {milanesi} from './generators/milanesi.ts';
export {
  duplicates,
  lattice,
  line,
  spiral,
  uniform,
  type DuplicatesOptions,
  type LatticeOptions,
  type LineOptions,
} from './generators/regular.ts';
export {aniso, blobs, circles, moons, noStructure, varied} from './generators/scikitLearn.ts';
export {tweets} from './generators/tweets.ts';
export {datasetHash} from './hash.ts';
export {datasets, type DatasetSpec, type GenerateOptions} from './registry.ts';
export {generateDataset, parseDatasetSpec, type DatasetRequest} from './spec.ts';
export {readCsvBatches, readCsvStream, type CsvOptions} from './formats/csv.ts';
export {checkCsvFormat, type CsvFormat} from './formats/csvFormat.ts';
export {POINT_EXTENSIONS} from './formats/extensions.ts';
export {type ColumnChoice} from './formats/columnChoice.ts';
export {writeGeoJson, type GeoJsonColumns} from './formats/geojson.ts';
export {DatasetFormatError, DatasetWriteError, escapeControls} from './formats/errors.ts';
export {readBytes, readWholeFile, withOpenFile, type OpenFile} from './formats/inputFile.ts';
export {checkWritable, writeContent, writeFileAtomically} from './formats/outputFile.ts';
export {findInput, identify} from './formats/outputTarget.ts';
export {describeNpy, readNpyRows, type NpyRows} from './formats/npy.ts';
export {readLabels, writeLabels} from './formats/labels.ts';
export {type LoadedPoints, type ReadPrecision} from './formats/numbers.ts';
export {readPoints, writePoints, type ReadPointsOptions, type WritePointsOptions} from './formats/points.ts';
