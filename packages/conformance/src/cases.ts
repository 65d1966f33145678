import type {DbscanCase} from './case.ts';
import {borderCases} from './cases/borders.ts';
import {boundaryCases} from './cases/boundary.ts';
import {clusteredCases} from './cases/clustered.ts';
import {edgeCases} from './cases/edges.ts';
import {extremeCases} from './cases/extremes.ts';
import {latticeCases} from './cases/lattices.ts';

/** Every case of one to four dimensions; names are unique. */
export const cases: readonly DbscanCase[] = [
  ...edgeCases,
  ...borderCases,
  ...boundaryCases,
  ...latticeCases,
  ...extremeCases,
  ...clusteredCases,
];
