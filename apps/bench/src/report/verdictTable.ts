import {documents, VERDICT_NAMES, VERDICTS} from '@epsball/benchmarks';
import {judgementsOf} from './documents.ts';
import {escapeMarkdown} from './escape.ts';
import {countVerdicts, type MachineRuns} from './machines.ts';

/** How many claims of each document have which verdict, as a table of Markdown with one column for each verdict. */
export function verdictTable(machine: MachineRuns): string {
  const rows = documents.map((document) => {
    const counts = countVerdicts(judgementsOf(document, machine));
    const link = `[${escapeMarkdown(document.title)}](/report/#document-${document.id})`;
    return [link, ...VERDICT_NAMES.map((verdict) => String(counts[verdict]))];
  });
  const head = [`on ${machine.name}`, ...VERDICT_NAMES.map((verdict) => VERDICTS[verdict].words)];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
