import type {CatalogueRow, VariantOption} from '@epsball/dbscan';
import type {Command} from 'commander';
import {oneOf} from '../options.ts';
import {formatCount, formatTable} from '../text.ts';

const TOPICS = ['algorithms', 'suites', 'datasets'] as const;
type Topic = (typeof TOPICS)[number];

const LISTS: Record<Topic, () => Promise<string>> = {
  algorithms: listAlgorithms,
  suites: listSuites,
  datasets: listDatasets,
};

export function addListCommand(program: Command): void {
  program
    .command('list')
    .description(`list ${TOPICS.join(', ')}`)
    .argument('<TOPIC>', TOPICS.join('|'), oneOf('TOPIC', TOPICS))
    .action(async (topic: Topic) => {
      process.stdout.write(await LISTS[topic]());
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
  const options = row.backends.flatMap((backend) => row.options[backend] ?? []);
  return [...new Map(options.map((option) => [option.name, option])).values()].map((option) => {
    const on = row.backends.filter((backend) => row.options[backend]?.some(({name}) => name === option.name));
    const of = on.length === row.backends.length ? row.id : `${row.id} on ${on.join(', ')}`;
    return [option.name, of, describe(option), String(option.defaultValue), option.description];
  });
}

async function listSuites(): Promise<string> {
  const {suites} = await import('@epsball/benchmarks');
  return formatTable([['ID', 'TITLE', 'SOURCE'], ...suites.map((suite) => [suite.id, suite.title, suite.source])]);
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
