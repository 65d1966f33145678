import {isSameSubject, REFERENCE} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs} from '@epsball/cli/command';
import {gpuWarning} from '../gpuWarning.ts';
import {matrixOf} from './matrix.ts';
import type {MachineRuns} from './machines.ts';
import {countText, hasData} from './scoreboard.ts';

/** A few sentences for the first screen, the warnings first. */
export function highlightsOf(machine: MachineRuns): {readonly warnings: string[]; readonly sentences: string[]} {
  const {runs, verdicts} = machine;
  const cells = runs.flatMap(({result}) => result.cells as readonly {readonly status: string}[]);
  const failed = cells.filter(({status}) => status === 'failed').length;
  const measured = cells.filter(({status}) => status === 'measured').length;
  const warnings = [...new Set(runs.flatMap((run) => gpuWarning(run) ?? []))];
  if (failed > 0)
    warnings.push(`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the section of each suite says why.`);
  return {
    warnings,
    sentences: [
      `${formatCount(measured)} measured cells, each verified before its time was kept.`,
      `Of the tables, charts and pictures of the documents ${countText(verdicts.filter(({entry}) => hasData(entry)))}.`,
      ...winnerSentences(machine),
    ],
  };
}

/** How often each variant wins, and the widest lead over the sequential code. */
function winnerSentences(machine: MachineRuns): string[] {
  const {rows, columns} = matrixOf(machine);
  if (rows.length === 0) return [];
  const wins = columns
    .map(({row, backend}, c) => ({
      name: row === backend ? row : `${row} ${backend}`,
      count: rows.filter(({cells}) => cells[c]?.factor === 1).length,
    }))
    .filter(({count}) => count > 0)
    .sort((a, b) => b.count - a.count);
  const winners = wins.map(({name, count}) => `${name} on ${count}`).join(', ');
  const reference = columns.findIndex((column) => isSameSubject(column, REFERENCE));
  const leads = rows.flatMap(({title, cells}) => {
    const [base, best] = [cells[reference], cells.find((cell) => cell?.factor === 1)];
    return base === null || base === undefined || best === null || best === undefined
      ? []
      : [{title, factor: base.factor, ms: best.cell.wall.medianMs}];
  });
  const most = leads.reduce<(typeof leads)[number] | null>(
    (one, other) => (one === null || other.factor > one.factor ? other : one),
    null,
  );
  return [
    `Fastest of what each of ${rows.length} data sets ran: ${winners}.`,
    ...(most === null
      ? []
      : [
          `The widest lead over the sequential code: ${formatFactor(most.factor)}, ${most.title}, ${formatMs(most.ms)}.`,
        ]),
  ];
}
