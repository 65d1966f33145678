export {expectedResult, type DbscanCase} from './case.ts';
export {cases} from './cases.ts';
export {featureCases} from './cases/features.ts';
export {highDimensionalCases} from './cases/highDimensional.ts';
export {bytesOf, isSameBytes} from './judge.ts';
export {sweepNeighbors, type NeighborSearch} from './neighbors.ts';
export {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';
export {nextAfter} from './nextAfter.ts';
export {gaussian, seededRandom, type Random} from './random.ts';
export {formatRegression, readRegressions} from './regressions.ts';
export {
  blobs,
  insideLargerBuffer,
  integerLattice,
  onSharedMemory,
  PRECISIONS,
  readPermuted,
  reversed,
  shuffled,
  spiral,
  toPoints,
  transformed,
  uniform,
  type Precision,
} from './shapes.ts';
export {nearInSpaceAndTime, timeOracle, type PairRule, type PairRules, type TimeRequest} from './timeOracle.ts';
export {randomTimeSet, type TimeSet} from './timeSets.ts';
export {dynamicHistory, type DynamicHistory} from './dynamicHistories.ts';
export {DynamicOracle, type DynamicBatch, type DynamicChange, type IdRules} from './dynamicOracle.ts';
export {findPythonWithSklearn} from './python.ts';
