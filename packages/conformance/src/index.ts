export {expectedResult, type DbscanCase} from './case.ts';
export {cases} from './cases.ts';
export {highDimensionalCases} from './cases/high-dimensional.ts';
export {mutants, type Mutant} from './mutants.ts';
export {sweepNeighbors, type NeighborSearch} from './neighbors.ts';
export {dbscanOracle, type DbscanLabels} from './oracle.ts';
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
export {findPythonWithSklearn} from './sklearn.ts';
export {formatRegression, readRegressions} from './regressions.ts';
