import type {CellOf, ResultFileOf, SuiteKind, SuiteOf} from '@epsball/benchmarks';
import {planHdbscanCells, runHdbscanSuite} from '../hdbscan/runHdbscanSuite.ts';
import {planMeanShiftSeries, runMeanShiftSuite} from '../meanShift/runMeanShiftSuite.ts';
import {planPrimitives, runPrimitiveSuite} from '../primitives/runPrimitiveSuite.ts';
import type {CsvRow} from '../report/csvRow.ts';
import {dbscanRows} from '../report/dbscan/csvCells.ts';
import {dbscanView} from '../report/dbscan/view.ts';
import {hdbscanRows} from '../report/hdbscan/csvCells.ts';
import {hdbscanView} from '../report/hdbscan/view.ts';
import {meanShiftRows} from '../report/meanShift/csvCells.ts';
import {meanShiftView} from '../report/meanShift/view.ts';
import {primitiveRows} from '../report/primitives/csvCells.ts';
import {primitiveView} from '../report/primitives/view.ts';
import type {Run, SectionOf} from '../report/run.ts';
import type {SectionView} from '../report/sectionView.ts';
import {planDbscan, runDbscanSuite} from './dbscan/runDbscanSuite.ts';
import type {RunSuiteOptions} from './runOptions.ts';

/** How the app runs suites of one kind and shows their results. */
interface KindOfSuite<Kind extends SuiteKind> {
  /** Runs every cell, one after the other, in processes of their own. */
  readonly runCells: (suite: SuiteOf<Kind>, options: RunSuiteOptions) => Promise<CellOf<Kind>[]>;
  /** How many cells a run plans; a copy of memory beside a primitive is not counted. */
  readonly countCells: (suite: SuiteOf<Kind>, options: Pick<RunSuiteOptions, 'profile' | 'only'>) => number;
  /** What HTML and Markdown show. */
  readonly view: (section: SectionOf<Kind>) => SectionView;
  /** One row a cell. */
  readonly csvRows: (run: Run<ResultFileOf<Kind>>) => CsvRow[];
}

/** The one table of kinds in the app. */
export const kinds: {readonly [Kind in SuiteKind]: KindOfSuite<Kind>} = {
  dbscan: {
    runCells: runDbscanSuite,
    countCells: (suite, options) => planDbscan(suite, options).length,
    view: dbscanView,
    csvRows: dbscanRows,
  },
  primitives: {
    runCells: runPrimitiveSuite,
    countCells: (suite, options) => sum(planPrimitives(suite, options).map(({counts}) => counts.length)),
    view: primitiveView,
    csvRows: primitiveRows,
  },
  'mean-shift': {
    runCells: runMeanShiftSuite,
    countCells: (suite, options) => sum(planMeanShiftSeries(suite, options).map(({sizes}) => sizes.length)),
    view: meanShiftView,
    csvRows: meanShiftRows,
  },
  hdbscan: {
    runCells: runHdbscanSuite,
    countCells: (suite, options) => planHdbscanCells(suite, options).length,
    view: hdbscanView,
    csvRows: hdbscanRows,
  },
};

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
