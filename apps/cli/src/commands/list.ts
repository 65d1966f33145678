import type {CatalogueRow, VariantOption} from '@epsball/dbscan';
import {Argument, type Command} from 'commander';
import {formatCount, formatTable} from '../text.ts';

/** The text of a list, by topic. */
export type Lists = Readonly<Record<string, () => Promise<string>>>;

const LISTS: Lists = {algorithms: listAlgorithms, datasets: listDatasets};

/** @param more  topics of another package */
export function addListCommand(program: Command, more: Lists = {}): void {
  const lists: Lists = {...LISTS, ...more};
  const topics = Object.keys(lists);
  program
    .command('list')
    .description(`list ${topics.join(', ')}`)
    .addArgument(new Argument('<TOPIC>').choices(topics))
    .action(async (topic: string) => {
      process.stdout.write(await lists[topic]());
    });
}

async function listAlgorithms(): Promise<string> {
  const {catalogue, describeAllowed} = await import('@epsball/dbscan');
  const rows = catalogue.map((row) => [
    row.id,
    row.backends.join(', '),
    Number.isFinite(row.maxDim) ? `1 to ${row.maxDim}` : 'any',
    row.title,
  ]);
  const options = catalogue.flatMap((row) => listOptions(row, describeAllowed));
  return [
    formatTable([['ID', 'BACKENDS', 'DIMENSIONS', 'TITLE'], ...rows]),
    'Options, for --option NAME=VALUE (and --index):\n',
    formatTable([['OPTION', 'OF', 'VALUES', 'DEFAULT', 'WHAT'], ...options]),
  ].join('\n');
}

/** One line per option. Options of the same name on several backends of a row are the same. */
function listOptions(row: CatalogueRow, describe: (option: VariantOption) => string): string[][] {
  const options = row.backends.flatMap((backend) => row.on[backend]?.options ?? []);
  return [...new Map(options.map((option) => [option.name, option])).values()].map((option) => {
    const on = row.backends.filter((backend) => row.on[backend]?.options.some(({name}) => name === option.name));
    const of = on.length === row.backends.length ? row.id : `${row.id} on ${on.join(', ')}`;
    return [option.name, of, describe(option), String(option.defaultValue), option.description];
  });
}

async function listDatasets(): Promise<string> {
  const {datasets} = await import('@epsball/datasets');
  const rows = datasets.map((row) => [
    row.id,
    row.dims.min === row.dims.max ? String(row.dims.min) : `${row.dims.min} to ${row.dims.max}`,
    formatCount(row.defaultN),
    `--eps ${row.suggested.eps} --min-pts ${row.suggested.minPts}`,
    row.title,
  ]);
  return formatTable([['ID', 'DIMENSIONS', 'POINTS', 'SUGGESTED', 'TITLE'], ...rows]);
}
