import {DEFINITION_LIMIT} from '@epsball/benchmarks';
import {pointCount, type PointSet} from '@epsball/clustering';
import {BACKENDS, catalogue, type Backend, type CatalogueRow} from '@epsball/dbscan';
import type {AdapterChoice} from '@epsball/gpu';
import {UsageError} from '../errors.ts';
import {formatCount} from '../text.ts';
import {referenceRow} from './verify.ts';

/** What `cluster` is asked to run, and where. */
export interface Wish {
  /** A catalogue id, or `auto`. */
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number | undefined;
  readonly adapter: AdapterChoice;
}

/**
 * Checks that no option would be ignored. Names that do not exist are for `createDbscan` to refuse.
 *
 * @throws UsageError  if threads or an adapter are named where nothing that may run has the backend for them
 */
export function checkWish(wish: Wish): void {
  const {algorithm, threads, adapter} = wish;
  if (algorithm !== 'auto' && !catalogue.some(({id}) => id === algorithm)) return;
  if (threads !== undefined) {
    checkFlag(wish, '--threads', threads.toString(), 'threads', ({threadedBackends}) => threadedBackends);
  }
  if (adapter !== 'auto') {
    checkFlag(wish, '--adapter', adapter, 'the backend gpu', ({backends}) => backends.filter((one) => one === 'gpu'));
  }
}

/**
 * @param need      what the flag asks of an algorithm, in words
 * @param ableOf    the backends of a row on which the flag means something
 */
function checkFlag(
  wish: Wish,
  flag: string,
  value: string,
  need: string,
  ableOf: (row: CatalogueRow) => readonly Backend[],
): void {
  const {backend} = wish;
  const able = wishedRows(wish).flatMap(ableOf);
  if (able.length === 0) {
    const ids = catalogue.filter((row) => ableOf(row).length > 0).map(({id}) => id);
    throw new UsageError(flag, value, `an algorithm with ${need} (these have: ${ids.join(', ')})`);
  }
  if (backend === 'auto' || able.includes(backend)) return;
  const backends = BACKENDS.filter((one) => able.includes(one));
  throw new UsageError(flag, value, `--backend ${backends.join(' or ')}, or auto with it, not ${backend}`);
}

/**
 * Checks that `--verify` will have something to compare with, before the points are clustered.
 *
 * @throws UsageError  if a variant that may run is the only one that takes the points, and they are too many for the
 *                     definition
 */
export function checkVerifiable(wish: Wish, points: PointSet): void {
  const {dim} = points;
  const n = pointCount(points);
  if (n <= DEFINITION_LIMIT) return;
  const alone = wishedRows(wish).find((row) =>
    BACKENDS.some((backend) => {
      const mayRun = (wish.backend === 'auto' || wish.backend === backend) && (row.maxDims[backend] ?? 0) >= dim;
      return mayRun && referenceRow({algorithm: row.id, backend}, dim) === undefined;
    }),
  );
  if (alone === undefined) return;
  throw new UsageError(
    '--verify',
    `${formatCount(n)} points in ${dim} dimensions`,
    `at most ${formatCount(DEFINITION_LIMIT)} points: no variant but ${alone.id} takes ${dim} dimensions, and the comparison of all pairs ends there`,
  );
}

function wishedRows({algorithm}: Wish): readonly CatalogueRow[] {
  return algorithm === 'auto' ? catalogue : catalogue.filter(({id}) => id === algorithm);
}
