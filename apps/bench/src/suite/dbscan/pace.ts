import {nameSubject, type MeasuredDbscanCell, type SuiteProfile} from '@epsball/benchmarks';

/** Which subjects a suite's rule on the slowest leaves out of later workloads. */
export class Pace {
  readonly #rule: SuiteProfile['slowest'];
  /** Of each workload, its number of points and the milliseconds of its subjects. */
  readonly #workloads = new Map<number, {readonly n: number; readonly ms: Map<string, number>}>();

  constructor(rule: SuiteProfile['slowest']) {
    this.#rule = rule;
  }

  add(workload: number, cell: MeasuredDbscanCell): void {
    const known = this.#workloads.get(workload) ?? {n: cell.n, ms: new Map<string, number>()};
    known.ms.set(nameSubject(cell), cell.wall.medianMs);
    this.#workloads.set(workload, known);
  }

  /** The smallest earlier workload on which a subject was too slow; undefined if there is none. */
  slowAt(workload: number, subject: string): {n: number; factor: number} | undefined {
    const rule = this.#rule;
    if (rule === undefined) return undefined;
    const slow = [...this.#workloads]
      .filter(([index, {n}]) => index < workload && n >= rule.fromPoints)
      .filter(([, {ms}]) => (ms.get(subject) ?? 0) > rule.factor * Math.min(...ms.values()))
      .map(([, {n}]) => n);
    return slow.length === 0 ? undefined : {n: Math.min(...slow), factor: rule.factor};
  }
}
