import {availableParallelism} from 'node:os';
import {keyOf, planSuite, type PlannedCell, type ProfileName, type Suite} from '@epsball/benchmarks';
import {catalogue} from '@epsball/dbscan';
import type {OnlyFilter} from './only.ts';

/** The cells that run: those that `only` selects, and the references that verify them. */
export function planCells(
  suite: Suite,
  {profile, only}: {readonly profile: ProfileName; readonly only?: OnlyFilter | undefined},
): PlannedCell[] {
  const all = planSuite(suite, profile, catalogue, availableParallelism());
  if (only === undefined) return all;
  const wanted = all.filter((planned) => only({names: namesOf(suite, planned), ...keyOf(planned)}));
  const verified = new Set(wanted.map(({index}) => index));
  return all.filter((cell) => wanted.includes(cell) || (cell.isReference && verified.has(cell.index)));
}

/** What `--only` knows a cell by: variant, variant/backend, data set or operation, kind. */
function namesOf({kind}: Suite, {workload, subject}: PlannedCell): string[] {
  const [generator] = workload.dataset.split(':', 1);
  return [subject.row, `${subject.row}/${subject.backend}`, generator, kind];
}

/** What `--only` may be for some suites: names and backends, then sizes. */
export function validOnly(suites: readonly Suite[], profile: ProfileName): string[] {
  const cells = suites.flatMap((suite) => planCells(suite, {profile}).map((planned) => ({suite, planned})));
  const names = cells.flatMap(({suite, planned}) => [...namesOf(suite, planned), planned.subject.backend]);
  const sizes = [...new Set(cells.map(({planned}) => planned.workload.n))].toSorted((a, b) => a - b).map(String);
  return [...new Set(names.filter((name) => !name.includes('/')).toSorted()), ...sizes];
}
