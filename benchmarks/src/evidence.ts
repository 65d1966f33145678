import {isSameSubject, isSameWorkload, nameSubject, timeOf, type MeasuredCell, type Subject} from './cell.ts';
import {measuredCells, type ResultFile} from './result.ts';
import {ASSUMED_DEVIATION, fitPower, logInterval, type Interval, type Noisy} from './statistics.ts';

/** Names a cell of a suite. What it leaves open has one value in the suite. */
export interface CellQuery extends Subject {
  readonly suite: string;
  readonly dataset?: string;
  readonly n?: number;
  readonly dim?: number;
  readonly params?: Readonly<Record<string, number>>;
}

/**
 * A part of a cell's time: of a whole run, of a run without the construction of its index, or a sum of phases by the
 * host's clock, of phases by the device's where it has one, or of counters: `host:index`, `device:clusters+borders`,
 * `counter:localMs`.
 */
export type Part = 'wall' | 'rest' | `${'host' | 'device' | 'counter'}:${string}`;

/** A time to a power. */
export interface Term {
  readonly cell: CellQuery;
  readonly power: number;
  /** Default: `wall`. */
  readonly part?: Part;
}

/** A product of times to powers: a time, a factor, a share; or an exponent, which is the sum of the logarithms. */
export interface Quantity {
  readonly terms: readonly Term[];
  readonly unit: 'time' | 'factor' | 'share' | 'exponent';
}

/** Where a time comes from. `‡`: another run on the same kind of machine. `†`: a fit; no rule is judged by it. */
export type Mark = '' | '‡' | '†';

/** A quantity as measured. */
export interface Evaluated extends Interval {
  readonly mark: Mark;
}

/** Deviation of a part of a run, where both parts of a quotient are of the same runs and share their noise. */
const PART_DEVIATION = 0.03;
/** Deviation of a time that another run of the same kind of machine measured, some of them several at a time. */
const ELSEWHERE_DEVIATION = 0.25;

/** The results of one machine, from which quantities are taken and rules are judged. */
export class Evidence {
  readonly results: readonly ResultFile[];
  readonly #references: readonly ResultFile[];

  /** @param references  results whose times stand in, marked ‡, where a result of the same kind of machine has none */
  constructor(results: readonly ResultFile[], references: readonly ResultFile[] = []) {
    // The full profile before the quick one, and of two alike the later.
    this.results = [...results].sort(
      (a, b) => a.profile.localeCompare(b.profile) || b.startedAt.localeCompare(a.startedAt),
    );
    const {machine} = results[0] ?? {};
    this.#references = references
      .filter((one) => one.machine.cpu === machine?.cpu && one.machine.threads === machine.threads)
      .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
  }

  result(suite: string): ResultFile | undefined {
    return this.results.find((result) => result.suite === suite);
  }

  /** Measured cells of a suite. */
  cells(suite: string): MeasuredCell[] {
    const result = this.result(suite);
    return result === undefined ? [] : measuredCells(result);
  }

  /** The cell of a query, measured by this machine. A GPU cell counts on hardware only. */
  find(query: CellQuery): MeasuredCell | undefined {
    const result = this.result(query.suite);
    if (result === undefined || (query.backend === 'gpu' && result.adapter?.kind !== 'hardware')) return undefined;
    return measuredCells(result).find((cell) => matches(cell, query));
  }

  /** The same, or the cell of a reference, marked ‡. References have no times of a GPU. */
  #findTimed(query: CellQuery): {cell: MeasuredCell; mark: Mark} | undefined {
    const here = this.find(query);
    if (here !== undefined) return {cell: here, mark: ''};
    if (query.backend === 'gpu') return undefined;
    for (const result of this.#references) {
      const cell = measuredCells(result).find(
        (one) => (result.suite === query.suite || query.n !== undefined) && matches(one, query),
      );
      if (cell !== undefined) return {cell, mark: '‡'};
    }
    return undefined;
  }

  /** The cells of a quantity that were not measured. */
  missing({terms}: Quantity): CellQuery[] {
    return terms.map(({cell}) => cell).filter((query) => this.#findTimed(query) === undefined);
  }

  /**
   * A quantity with its 95 % interval; undefined if a cell was not measured.
   *
   * @param intervals  number of intervals that shall hold together. Default: 1
   */
  evaluate({terms, unit}: Quantity, intervals = 1): Evaluated | undefined {
    const weighted: (Noisy & {weight: number})[] = [];
    let mark: Mark = '';
    const isOneCell = new Set(terms.map(({cell}) => nameQuery(cell))).size === 1 && terms.length > 1;
    for (const {cell: query, power, part = 'wall'} of terms) {
      const found = this.#findTimed(query);
      const noisy = found === undefined ? undefined : timesOf(found.cell, part);
      if (found === undefined || noisy === undefined) return undefined;
      const assumed = isOneCell ? PART_DEVIATION : found.mark === '' ? ASSUMED_DEVIATION : ELSEWHERE_DEVIATION;
      weighted.push({processMs: noisy, assumed, weight: power});
      if (found.mark !== '') mark = found.mark;
    }
    const {value, low, high, isAssumed} = logInterval(weighted, intervals);
    if (unit === 'exponent') return {value, low, high, isAssumed, mark};
    return {value: Math.exp(value), low: Math.exp(low), high: Math.exp(high), isAssumed, mark};
  }

  /** The same for tables; a time of a processor may come from a power of n that is fitted to fewer points. */
  estimate(quantity: Quantity): Evaluated | undefined {
    const measured = this.evaluate(quantity);
    if (measured !== undefined || quantity.unit === 'exponent') return measured;
    let logarithm = 0;
    for (const {cell, power, part = 'wall'} of quantity.terms) {
      const found = this.#findTimed(cell);
      const ms = found === undefined ? this.#fit(cell) : timesOf(found.cell, part)?.[0];
      if (ms === undefined) return undefined;
      logarithm += power * Math.log(ms);
    }
    const value = Math.exp(logarithm);
    return {value, low: value, high: value, isAssumed: true, mark: '†'};
  }

  /** An estimated cell of the result, or a fit over the smaller sizes of the suite. */
  #fit(query: CellQuery): number | undefined {
    const cells = this.result(query.suite)?.cells ?? [];
    const estimated = cells.find((cell) => cell.status === 'estimated' && matches(cell, query));
    if (estimated?.status === 'estimated') return estimated.ms;
    const {n} = query;
    if (query.backend === 'gpu' || n === undefined) return undefined;
    const sizes = new Set(cells.map((cell) => cell.n).filter((size) => size < n));
    const smaller = [...sizes].flatMap((size) => {
      const found = this.#findTimed({...query, n: size});
      return found === undefined ? [] : [{x: size, y: timeOf(found.cell)}];
    });
    const fit = fitPower(smaller);
    return fit === null ? undefined : fit.factor * n ** fit.exponent;
  }

  /**
   * Our fastest code without a GPU on the points of a cell, over all suites: on one thread, or on several. Undefined
   * unless `pds` is among them: what a document's own code is compared with there would be itself.
   */
  fastestBeside(cell: MeasuredCell, isThreaded: boolean): MeasuredCell | undefined {
    const beside = this.results
      .flatMap(measuredCells)
      .filter((one) => isSameWorkload(one, cell) && one.backend !== 'gpu' && one.threads > 1 === isThreaded);
    return beside.some(({row}) => row === 'pds') ? beside.toSorted((a, b) => timeOf(a) - timeOf(b))[0] : undefined;
  }
}

/** The queries of a rule in words: `grid-bfs/gpu of milanesi at 1,000,000`. */
export function nameQuery({suite, n, dim, params = {}, ...subject}: CellQuery): string {
  const at = n === undefined ? '' : ` at ${n.toLocaleString('en-US')}`;
  const words = Object.entries({...params, ...(dim === undefined ? {} : {dim})}).map(
    ([name, value]) => `, ${name} ${value}`,
  );
  return `${nameSubject(subject)} of ${suite}${at}${words.join('')}`;
}

function matches(cell: Pick<MeasuredCell, 'dataset' | 'n' | 'dim' | 'params'> & Subject, query: CellQuery): boolean {
  const {dataset, n, dim, params = {}} = query;
  return (
    isSameSubject(cell, query) &&
    (dataset === undefined || cell.dataset === dataset) &&
    (n === undefined || cell.n === n) &&
    (dim === undefined || cell.dim === dim) &&
    Object.entries(params).every(([name, value]) => cell.params[name] === value)
  );
}

/** Times of a part of a cell, of each process; undefined if the cell does not have the part. */
function timesOf(cell: MeasuredCell, part: Part): readonly number[] | undefined {
  const {wall, device, phaseMs, devicePhaseMs, counters} = cell;
  if (part === 'wall') {
    const timing = wall ?? device;
    if (timing === null) return undefined;
    const {processMs = []} = timing;
    return processMs.length > 0 ? processMs : [timing.medianMs];
  }
  if (part === 'rest') return [timeOf(cell) - (phaseMs['index'] ?? 0)];
  const [clock, names] = part.split(':');
  const from = clock === 'counter' ? counters : clock === 'device' ? (devicePhaseMs ?? phaseMs) : phaseMs;
  const values = names.split('+').map((name) => from[name]);
  return values.every((value) => value !== undefined) ? [values.reduce((sum, value) => sum + value, 0)] : undefined;
}
