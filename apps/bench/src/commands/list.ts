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
    .argument(`<${TOPICS.join('|')}>`, 'what to list', oneOf('TOPIC', TOPICS))
    .action(async (topic: Topic) => {
      process.stdout.write(await LISTS[topic]());
    });
}

async function listAlgorithms(): Promise<string> {
  const {catalogue} = await import('@epsball/dbscan');
  const rows = catalogue.map((row) => [
    row.id,
    row.backends.join(', '),
    Number.isFinite(row.maxDim) ? `1 to ${row.maxDim}` : 'any',
    row.title,
  ]);
  return formatTable([['ID', 'BACKENDS', 'DIMENSIONS', 'TITLE'], ...rows]);
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
