import {measuredCells, nameSubject, nameWorkload, timeOf, type MeasuredCell} from '@epsball/benchmarks';
import {formatMs} from '@epsball/cli/command';
import {escapeMarkdown} from './escape.ts';
import type {MachineRuns} from './machines.ts';

/** Ways to run, in words. */
const BACKENDS: Readonly<Record<string, string>> = {sequential: 'one thread', workers: 'workers', gpu: 'GPU'};

/**
 * Times from the caller's array to the caller's labels, as a table of Markdown: one line for each workload of some
 * suites, one column for each way to run.
 *
 * @param wanted  row of the catalogue, such as `pds`
 * @param suites  ids
 */
export function timesTable({name, runs}: MachineRuns, wanted: string, suites: readonly string[]): string {
  const cells = runs
    .filter(({result}) => suites.includes(result.suite))
    .flatMap(({result}) => measuredCells(result))
    // Files of points are for comparisons with other programs; generated points of their kind stand beside them.
    .filter(({row, dataset}) => row === wanted && !dataset.startsWith('npy:'));
  const columns = [...new Set(cells.map(columnOf))].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
  const lines = [...Map.groupBy(cells, nameWorkload)].map(([workload, own]) => {
    const times = columns.map((column) => {
      const found = own.filter((cell) => columnOf(cell) === column).map(timeOf);
      return found.length === 0 ? '' : formatMs(Math.min(...found));
    });
    return [escapeMarkdown(workload), ...times];
  });
  const head = [name, ...columns].map(escapeMarkdown);
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** The backend, its threads, and the options that the suite varies: `GPU (index none)`. */
function columnOf(cell: MeasuredCell): string {
  const [, more = ''] = /( [×(].*)$/.exec(nameSubject(cell)) ?? [];
  return `${BACKENDS[cell.backend] ?? cell.backend}${more}`;
}
