export {expectedResult, type DbscanCase} from './case.ts';
export {cases} from './cases.ts';
export {featureCases} from './cases/features.ts';
export {highDimensionalCases} from './cases/highDimensional.ts';
export {hdbscanCases, randomHdbscanCase} from './hdbscan/cases.ts';
export type {HdbscanAnswer, HdbscanCase, HdbscanCaseParams} from './hdbscan/definition.ts';
export {expectedAnswer, judgeHdbscanCase, type HdbscanRun} from './hdbscan/judge.ts';
export {hdbscanMutants, type HdbscanMutant} from './hdbscan/mutants.ts';
export {hdbscanOracle} from './hdbscan/oracle.ts';
export {mutants, type Mutant} from './mutants.ts';
export {sweepNeighbors, type NeighborSearch} from './neighbors.ts';
export {dbscanOracle, type DbscanLabels} from '@epsball/clustering/definition';
export {
  adjacentCoresShareALabel,
  arraysHaveTypeAndLength,
  borderTakesLowestLabel,
  coreMaskIsRight,
  findIllegality,
  labelIsOneComponent,
  labelsFollowSmallestCore,
  legalityPredicates,
  noiseIsMinusOne,
  type Judged,
  type LegalityPredicate,
} from './predicates.ts';
export {readPermuted} from './readPermuted.ts';
export {gaussian, seededRandom, type Random} from './random.ts';
export {formatRegression, readRegressions} from './regressions.ts';
export {
  blobs,
  insideLargerBuffer,
  integerLattice,
  onSharedMemory,
  PRECISIONS,
  reversed,
  shuffled,
  spiral,
  toPoints,
  transformed,
  uniform,
  type Precision,
} from './shapes.ts';
export {findPythonWithSklearn} from './sklearn.ts';
