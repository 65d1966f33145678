import type {DbscanSuite} from './dbscan/suite.ts';
import type {MeanShiftSuite} from './meanShift/suite.ts';
import type {PrimitiveSuite} from './primitives/suite.ts';

/** What is measured, as data. `kind` says of which shape its cells are. */
export type Suite = DbscanSuite | PrimitiveSuite | MeanShiftSuite;
