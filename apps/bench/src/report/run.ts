import type {ResultFile, Suite} from '@epsball/benchmarks';

/** One result file in a report. */
export interface Run<Result extends ResultFile = ResultFile> {
  /** Machine and commit in words. */
  readonly label: string;
  /** `A`, `B` …: names the run in a comparison. Runs of different suites on one machine and commit share it. */
  readonly letter: string;
  /** Where the result file is; pictures lie beside it. */
  readonly folder: string;
  readonly result: Result;
}

/** One suite in a report: a single run, or several side by side. */
export interface SectionOf<S extends Suite, Result extends ResultFile> {
  readonly kind: S['kind'];
  readonly suite: S;
  readonly runs: readonly [Run<Result>, ...Run<Result>[]];
}
