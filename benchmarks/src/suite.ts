import type {DbscanCell} from './dbscan/result.ts';
import type {DbscanSuite} from './dbscan/suite.ts';
import type {HdbscanCell} from './hdbscan/result.ts';
import type {HdbscanSuite} from './hdbscan/suite.ts';
import type {MeanShiftCell} from './meanShift/result.ts';
import type {MeanShiftSuite} from './meanShift/suite.ts';
import type {PrimitiveCell} from './primitives/result.ts';
import type {PrimitiveSuite} from './primitives/suite.ts';

/** The suite and the cell of each kind. A new kind is one entry here and one in every table of kinds. */
interface SuiteTypes {
  readonly dbscan: {readonly suite: DbscanSuite; readonly cell: DbscanCell};
  readonly primitives: {readonly suite: PrimitiveSuite; readonly cell: PrimitiveCell};
  readonly 'mean-shift': {readonly suite: MeanShiftSuite; readonly cell: MeanShiftCell};
  readonly hdbscan: {readonly suite: HdbscanSuite; readonly cell: HdbscanCell};
}

export type SuiteKind = keyof SuiteTypes;
export type SuiteOf<Kind extends SuiteKind> = SuiteTypes[Kind]['suite'] & {readonly kind: Kind};
export type CellOf<Kind extends SuiteKind> = SuiteTypes[Kind]['cell'];

/** A suite as data. `kind` gives the shape of its cells. */
export type Suite = SuiteTypes[SuiteKind]['suite'];
