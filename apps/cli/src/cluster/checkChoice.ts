import {pointCount, type PointSet} from '@epsball/clustering';
import {DEFINITION_LIMIT} from '@epsball/clustering/definition';
import {BACKENDS, catalogue, type Backend, type CatalogueRow} from '@epsball/dbscan';
import {UsageError} from '../errors.ts';
import type {BackendFlags} from '../flags.ts';
import {formatCount} from '../text.ts';
import {referenceRow} from './verify.ts';

/** The algorithm, a catalogue id or `auto`, and where it runs. */
type Choice = BackendFlags & {readonly algorithm: string};

/** Checks that no option would be ignored: a variant that may run has a backend for the given threads or adapter. */
export function checkChoice(choice: Choice): void {
  const {algorithm, threads, adapter} = choice;
  if (algorithm !== 'auto' && !catalogue.some(({id}) => id === algorithm)) return;
  if (threads !== undefined) {
    checkFlag(choice, '--threads', threads.toString(), 'threads', ({threadedBackends}) => threadedBackends);
  }
  if (adapter !== 'auto') {
    checkFlag(choice, '--adapter', adapter, 'the backend gpu', ({backends}) => backends.filter((one) => one === 'gpu'));
  }
}

/** @param ableOf  the backends of a row that use the flag */
function checkFlag(
  choice: Choice,
  flag: string,
  value: string,
  need: string,
  ableOf: (row: CatalogueRow) => readonly Backend[],
): void {
  const {backend} = choice;
  const able = chosenRows(choice).flatMap(ableOf);
  if (able.length === 0) {
    const ids = catalogue.filter((row) => ableOf(row).length > 0).map(({id}) => id);
    throw new UsageError(flag, value, `an algorithm with ${need} (these have: ${ids.join(', ')})`);
  }
  if (backend === 'auto' || able.includes(backend)) return;
  const backends = BACKENDS.filter((one) => able.includes(one));
  throw new UsageError(flag, value, `--backend ${backends.join(', ')} or auto beside it, not ${backend}`);
}

/** Checks that `--verify` has a reference: another variant that takes the dimensions, or few points. */
export function checkVerifiable(choice: Choice, points: PointSet): void {
  const {dim} = points;
  const n = pointCount(points);
  if (n <= DEFINITION_LIMIT) return;
  const alone = chosenRows(choice).find((row) =>
    BACKENDS.some((backend) => {
      const mayRun = (choice.backend === 'auto' || choice.backend === backend) && (row.on[backend]?.maxDim ?? 0) >= dim;
      return mayRun && referenceRow({algorithm: row.id, backend}, dim) === undefined;
    }),
  );
  if (alone === undefined) return;
  throw new UsageError(
    '--verify',
    `${formatCount(n)} points in ${dim} dimensions`,
    `at most ${formatCount(DEFINITION_LIMIT)} points, the limit of the comparison with all pairs; only ${alone.id} takes ${dim} dimensions`,
  );
}

function chosenRows({algorithm}: Choice): readonly CatalogueRow[] {
  return algorithm === 'auto' ? catalogue : catalogue.filter(({id}) => id === algorithm);
}
