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
  const {algorithm, backend, threads, adapter} = wish;
  if (algorithm !== 'auto' && !catalogue.some(({id}) => id === algorithm)) return;
  const flags: readonly (readonly [string, string | undefined, Backend])[] = [
    ['--threads', threads?.toString(), 'workers'],
    ['--adapter', adapter === 'auto' ? undefined : adapter, 'gpu'],
  ];
  for (const [flag, value, needed] of flags) {
    if (value === undefined) continue;
    if (backend !== 'auto' && backend !== needed) {
      throw new UsageError(flag, value, `--backend ${needed} or auto with it, not ${backend}`);
    }
    if (!wishedRows(wish).some(({backends}) => backends.includes(needed))) {
      const able = catalogue.filter(({backends}) => backends.includes(needed)).map(({id}) => id);
      const others = able.length === 0 ? 'none has' : `these have: ${able.join(', ')}`;
      throw new UsageError(flag, value, `an algorithm with the backend ${needed} (${others})`);
    }
  }
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
