import type {ResultFile, ResultFileOf, SuiteKind, SuiteOf} from '@epsball/benchmarks';

/** One result file in a report. */
export interface Run<Result extends ResultFileOf<SuiteKind> = ResultFile> {
  /** Machine and commit in words. */
  readonly label: string;
  /** `A`, `B` …: names the run in a comparison. Runs of different suites on one machine and commit share it. */
  readonly letter: string;
  /** Where the result file is; pictures lie beside it. */
  readonly folder: string;
  readonly result: Result;
}

/** One suite in a report: a single run, or several side by side. */
export interface SectionOf<Kind extends SuiteKind> {
  readonly kind: Kind;
  readonly suite: SuiteOf<Kind>;
  readonly runs: readonly [Run<ResultFileOf<Kind>>, ...Run<ResultFileOf<Kind>>[]];
}

export type Section = {[Kind in SuiteKind]: SectionOf<Kind>}[SuiteKind];
