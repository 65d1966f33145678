import {escapeMarkdown} from './escape.ts';
import {commandsOf, machineBoxes} from './facts.ts';
import {gpuWarning} from './gpuWarning.ts';
import type {IllustratedSection} from './illustrate.ts';
import {scoreboardMarkdown} from './front/scoreboard.ts';
import type {Page} from './html.ts';
import type {Table, TableCell} from './table.ts';

/**
 * The report as Markdown; its charts are files beside it.
 *
 * @param chartFolder  folder of the chart files, relative to the Markdown file
 */
export function renderMarkdown({report, sections, machines}: Page, chartFolder: string): string {
  const warnings = new Set(report.runs.flatMap((run) => gpuWarning(run) ?? []));
  const lines = ['# epsball benchmarks', '', ...scoreboardMarkdown(machines), '## What was found', ''];
  for (const {section, view} of sections)
    lines.push(`**${escapeMarkdown(section.suite.title)}**`, '', ...bullets(view.findings));
  for (const warning of warnings) lines.push(`> ${escapeMarkdown(warning)}`, '');
  lines.push('## Machines', '');
  for (const {title, facts} of machineBoxes(report)) {
    lines.push(`**${escapeMarkdown(title)}**`, '', ...bullets(facts.map(({name, value}) => `${name}: ${value}`)));
  }
  lines.push('Run it again:', '', '```sh', ...commandsOf(report).map((command) => `pnpm ${command}`), '```', '');
  for (const illustrated of sections) lines.push(...sectionLines(illustrated, chartFolder));
  return `${lines.join('\n').trimEnd()}\n`;
}

function sectionLines({section, view, charts}: IllustratedSection, chartFolder: string): string[] {
  const {suite} = section;
  const lines = [`## ${escapeMarkdown(suite.title)}`, '', escapeMarkdown(`${suite.source}. ${suite.reproduces}.`), ''];
  if (section.runs.length > 1) lines.push(...bullets(section.runs.map(({letter, label}) => `${letter} is ${label}`)));
  for (const credit of suite.credits) lines.push(`**${escapeMarkdown(credit)}**`, '');
  for (const {name, title, caption} of charts) {
    lines.push(
      `![${escapeMarkdown(title)}](${chartFolder}/${name}.svg)`,
      '',
      escapeMarkdown(`${title}. ${caption}`),
      '',
    );
  }
  for (const {title, table} of view.tables) lines.push(`### ${escapeMarkdown(title)}`, '', ...tableLines(table));
  lines.push(...bullets(view.gaps));
  for (const {title, table} of view.documents) lines.push(escapeMarkdown(`${title}:`), '', ...tableLines(table));
  for (const note of suite.notes) lines.push(escapeMarkdown(note), '');
  return lines;
}

function bullets(sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [...sentences.map((sentence) => `- ${escapeMarkdown(sentence)}`), ''];
}

function tableLines({columns, rows}: Table): string[] {
  return [
    `| ${columns.map(({title}) => escapeMarkdown(title)).join(' | ')} |`,
    `|${columns.map(({isNumber}) => (isNumber ? ' ---: ' : ' --- ')).join('|')}|`,
    ...rows.map((row) => `| ${row.map(cellText).join(' | ')} |`),
    '',
  ];
}

function cellText({text, note, tone}: TableCell): string {
  const words = escapeMarkdown(note === undefined ? text : `${text} (${note})`);
  return tone === 'bad' ? `**${words}**` : words;
}
