import {isSameSubject, nameSubject, referenceOf, type DbscanCell, type DbscanSuite} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs} from '@epsball/cli/command';

/**
 * `dense-grid/gpu is 46.0× as fast as sequential/sequential (5.10 ms, 235 ms) on milanesi, 200,000 points`: the fastest
 * subject at the last workload where the reference has a time; null without one.
 */
export function suiteVerdict(suite: DbscanSuite, cells: readonly DbscanCell[]): string | null {
  const measured = cells.filter((cell) => cell.status === 'measured');
  const reference = measured.findLast(
    (cell) =>
      suite.profiles.full.workloads
        .concat(suite.profiles.quick.workloads)
        .some((workload) => workload.dataset === cell.dataset && isSameSubject(referenceOf(suite, workload), cell)) &&
      measured.some((one) => isBeside(one, cell)),
  );
  if (reference === undefined) return null;
  const beside = measured.filter((cell) => isBeside(cell, reference));
  const best = beside.reduce((one, other) => (other.wall.medianMs < one.wall.medianMs ? other : one));
  const factor = reference.wall.medianMs / best.wall.medianMs;
  const words = factor >= 1 ? `is ${formatFactor(factor)} as fast as` : `takes ${formatFactor(1 / factor)} as long as`;
  const [generator] = best.dataset.split(':', 1);
  const times = `${formatMs(best.wall.medianMs)}, ${formatMs(reference.wall.medianMs)}`;
  return `${nameSubject(best)} ${words} ${nameSubject(reference)} (${times}) on ${generator}, ${formatCount(best.n)} points`;
}

/** Another cell of the same workload. */
function isBeside(one: DbscanCell, cell: DbscanCell): boolean {
  return one !== cell && one.dataset === cell.dataset && one.eps === cell.eps && one.minPts === cell.minPts;
}
