import {headlineTable} from './headline.ts';
import type {MachineRuns} from './machines.ts';
import {timesTable} from './timesTable.ts';
import {verdictTable} from './verdictTable.ts';

/** A table between `<!-- NAME: written by pnpm docs:report -->` and `<!-- /NAME -->`. */
export interface MarkedTable {
  /** Path in the repository. */
  readonly page: string;
  readonly name: string;
  /** @returns  Markdown */
  readonly write: (machine: MachineRuns) => string;
}

/** Every table of a page that is computed from committed results, those of the machine that was measured last. */
export const MARKED_TABLES: readonly MarkedTable[] = [
  {page: 'README.md', name: 'headline', write: headlineTable},
  {page: 'apps/docs/pages/four-papers.md', name: 'verdicts', write: verdictTable},
  times('dbscan-dclust', 'dclust', ['dclust', 'dclust-none', 'dclust-dim']),
  times('dbscan-dense-grid', 'dense-grid', ['state-of-the-art', 'variants']),
  times('dbscan-gdbscan', 'gdbscan', ['gdbscan-graphs', 'gdbscan-hybrid', 'variants']),
  times('dbscan-grid-bfs', 'grid-bfs', ['milanesi', 'variants']),
  times('dbscan-hybrid', 'hybrid', ['hybrid-threads', 'variants']),
  times('dbscan-pds', 'pds', ['threads', 'tweets', 'variants']),
  times('dbscan-sequential', 'sequential', ['real', 'tweets', 'variants']),
  times('hdbscan', 'hdbscan', ['hdbscan']),
  times('mean-shift', 'mean-shift', ['mean-shift']),
];

/**
 * A page with its table.
 *
 * @throws Error  if the page lacks the marks
 */
export function withTable(text: string, {page, name, write}: MarkedTable, machine: MachineRuns): string {
  const [start, end] = [`<!-- ${name}: written by pnpm docs:report -->`, `<!-- /${name} -->`];
  const [before, after] = [text.indexOf(start), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${page} has no ${start} before ${end}`);
  return `${text.slice(0, before)}${start}\n\n${write(machine)}\n\n${text.slice(after)}`;
}

function times(folder: string, row: string, suites: readonly string[]): MarkedTable {
  return {
    page: `packages/${folder}/README.md`,
    name: 'times',
    write: (machine) => timesTable(machine, row, suites),
  };
}
