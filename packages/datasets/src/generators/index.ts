// The generators alone: they run in every browser and bundle.
export {type GeneratorOptions, type Precision} from '../coords.ts';
export {gaussians, gaussians3d, spots, spotsEps, type GaussiansOptions, type SpotsOptions} from './gaussians.ts';
export {halos, halosEps} from './halos.ts';
export {milanesi} from './milanesi.ts';
export {
  duplicates,
  lattice,
  line,
  spiral,
  uniform,
  type DuplicatesOptions,
  type LatticeOptions,
  type LineOptions,
} from './regular.ts';
export {aniso, blobs, circles, moons, noStructure, varied} from './scikitLearn.ts';
export {tweets} from './tweets.ts';
export {datasets, type DatasetSpec, type GenerateOptions} from '../registry.ts';
export {generateDataset, parseDatasetSpec, type DatasetRequest} from '../spec.ts';
