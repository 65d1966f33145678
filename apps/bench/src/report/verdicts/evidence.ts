import {
  isSameSubject,
  type DbscanResultFile,
  type MeanShiftCell,
  type MeasuredDbscanCell,
  type ResultFile,
  type Subject,
} from '@epsball/benchmarks';
import {baselineTime, type BaselineTime} from '../dbscan/baselineTime.ts';

/** A speed-up at one cell; `mark` is that of the time that is divided. */
export interface Factor {
  readonly cell: MeasuredDbscanCell;
  readonly factor: number;
  readonly mark: BaselineTime['mark'];
}

/** The results of one machine, from which the entries of the documents are judged. */
export class Evidence {
  readonly #results: readonly ResultFile[];
  readonly #references: readonly DbscanResultFile[];

  /** @param references  results whose times of the reference stand in where a result has none */
  constructor(results: readonly ResultFile[], references: readonly DbscanResultFile[]) {
    // The full profile before the quick one, and of two alike the later.
    this.#results = [...results].sort(
      (a, b) => a.profile.localeCompare(b.profile) || b.startedAt.localeCompare(a.startedAt),
    );
    this.#references = references;
  }

  result(suite: string): ResultFile | undefined {
    return this.#results.find((result) => result.suite === suite);
  }

  /** Measured cells of a suite of DBSCAN; none if it did not run. */
  cells(suite: string): readonly MeasuredDbscanCell[] {
    const result = this.result(suite);
    return result?.kind === 'dbscan' ? result.cells.filter((cell) => cell.status === 'measured') : [];
  }

  /** Measured cells of one subject, in the order of the suite. */
  cellsOf(suite: string, subject: Subject): readonly MeasuredDbscanCell[] {
    return this.cells(suite).filter((cell) => isSameSubject(cell, subject));
  }

  /** Speed-ups of a subject over a baseline, where both have a time. */
  factors(suite: string, subject: Subject, baseline: Subject): Factor[] {
    const result = this.result(suite);
    if (result?.kind !== 'dbscan') return [];
    return this.cellsOf(suite, subject).flatMap((cell): Factor[] => {
      const time = baselineTime(result, this.#references, cell, baseline);
      return time === null ? [] : [{cell, factor: time.ms / cell.wall.medianMs, mark: time.mark}];
    });
  }

  /** Times of a baseline at the workloads of a subject. */
  baselineTimes(suite: string, subject: Subject, baseline: Subject): {n: number; time: BaselineTime}[] {
    const result = this.result(suite);
    if (result?.kind !== 'dbscan') return [];
    return this.cellsOf(suite, subject).flatMap((cell) => {
      const time = baselineTime(result, this.#references, cell, baseline);
      return time === null ? [] : [{n: cell.n, time}];
    });
  }

  meanShift(): readonly MeanShiftCell[] {
    const result = this.result('mean-shift');
    return result?.kind === 'mean-shift' ? result.cells : [];
  }
}
