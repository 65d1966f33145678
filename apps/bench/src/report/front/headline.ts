import {documents, type DbscanResultFile} from '@epsball/benchmarks';
import {escapeMarkdown} from '../escape.ts';
import {readResult} from '../../readResult.ts';
import {HOLDS_WORDS} from '../verdicts/verdicts.ts';
import {groupByMachine} from './machines.ts';
import {entryTitle} from './scoreboard.ts';

/** The entries that stand for their documents. */
const HEADLINES = [
  'mil-fig2',
  'mil-fig3',
  'hy-fig-gdbscan-speedup',
  'hy-fig-overall',
  'ms-tab-seq',
  'dc-fig7a',
  'dc-fig7b',
];

/**
 * A few entries of the scoreboard as a table of Markdown.
 *
 * @param results     result files; those of the machine with the most are shown
 * @param references  result files whose times of the reference stand in where a result has none
 */
export async function headlineTable(results: readonly string[], references: readonly string[]): Promise<string> {
  const read = await Promise.all(results.map(readResult));
  const sequential = (await Promise.all(references.map(readResult))).filter(
    (result): result is DbscanResultFile => result.kind === 'dbscan',
  );
  const [machine] = groupByMachine(
    read.map((result) => ({label: '', letter: '', folder: '', result})),
    sequential,
  );
  const rows = HEADLINES.flatMap((id) => machine.verdicts.filter(({entry}) => entry.id === id)).map(
    ({document, entry, printed, ours, holds}) => {
      const place = documents.find((one) => one === document)?.title ?? '';
      const cells = [`${place}: ${entryTitle(entry)}`, printed, ours, HOLDS_WORDS[holds]];
      return `| ${cells.map(escapeMarkdown).join(' | ')} |`;
    },
  );
  return [`| ${escapeMarkdown(machine.name)} | the document | ours | verdict |`, '|---|---|---|---|', ...rows].join(
    '\n',
  );
}
