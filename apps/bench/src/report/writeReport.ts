import {dirname, join} from 'node:path';
import {suites, type ResultFile} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {findInput, writeContent} from '@epsball/datasets';
import {prepareFolder} from '../prepareFolder.ts';
import {readResult} from '../readResult.ts';
import type {ResultComparison} from './compare/compareResults.ts';
import {renderCsv} from './csv.ts';
import {groupByMachine, type Run} from './machines.ts';
import {renderPage, type ElsewhereReport} from './page.ts';

export interface WriteReportOptions {
  /** Result files, at least one; pictures are looked for beside each. */
  readonly results: readonly string[];
  /** A baseline that the results are judged against. Default: none. */
  readonly compareWith?: readonly string[] | null | undefined;
  readonly outDir: string;
  /** Results whose times of the reference stand in where a result has none. Default: none. */
  readonly references?: readonly string[] | undefined;
  /** Committed results; those of other machines with a GPU stand beside ours. Default: none. */
  readonly beside?: readonly string[] | undefined;
  /** Reports of other machines that the page links. Default: none. */
  readonly elsewhere?: readonly ElsewhereReport[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WrittenReport {
  /** `report.html`, `report.json`, `report.csv`; after a comparison also `comparison.md`. */
  readonly files: readonly string[];
  readonly comparison: ResultComparison | null;
}

/**
 * Writes `report.html`, `report.json` and `report.csv` from result files, and `comparison.md` for a pull request if
 * there is a baseline.
 *
 * @throws InvalidParameterError  if there are no results, a file is not a result file or a file of the report, or a
 *                                suite is unknown; names the file and the reason
 * @throws DatasetWriteError      if the folder takes no files
 * @throws the signal's reason    if `signal` fires; every file is as before, or new and whole
 */
export async function writeReport(options: WriteReportOptions): Promise<WrittenReport> {
  const {results, compareWith = null, outDir, signal} = options;
  if (results.length === 0) throw new InvalidParameterError('results', 'none', 'at least one result file');
  const runs = await readAll(results);
  for (const {result} of runs) {
    if (suites.some(({id}) => id === result.suite)) continue;
    throw new InvalidParameterError('suite', result.suite, `one of ${suites.map(({id}) => id).join(', ')}`);
  }
  const ours = runs.map(({result}) => result);
  const comparison = compareWith === null ? null : await compare(ours, resultsOf(await readAll(compareWith)));
  const references = resultsOf(await readAll(options.references ?? []));
  const here = groupByMachine(runs, references);
  const others = groupByMachine(
    // A software GPU says nothing of speed, and a quick run little, so neither stands beside others.
    (await readAll(options.beside ?? [])).filter(
      ({result}) => result.adapter?.kind === 'hardware' && result.profile === 'full',
    ),
    references,
  ).filter(({name}) => !here.some((one) => one.name === name));
  const [first, ...rest] = [...here, ...others];
  const {elsewhere = []} = options;
  const page = await renderPage({machines: [first, ...rest], elsewhere, comparison: comparison?.html ?? ''});

  signal?.throwIfAborted();
  await prepareFolder(outDir);
  const createdAt = new Date().toISOString();
  const texts: readonly (readonly [name: string, text: string])[] = [
    ['report.html', page],
    ['report.json', `${JSON.stringify({createdAt, results: ours}, null, 2)}\n`],
    ['report.csv', renderCsv(ours)],
    ...(comparison === null ? [] : [['comparison.md', comparison.markdown] as const]),
  ];
  const inputs = [results, compareWith, options.references, options.beside].flatMap((files) => files ?? []);
  for (const [name] of texts) {
    const input = await findInput(join(outDir, name), inputs);
    if (input !== undefined) throw new InvalidParameterError('outDir', outDir, `a folder whose ${name} is no result`);
  }
  for (const [name, text] of texts) await writeContent(join(outDir, name), text, signal);
  return {files: texts.map(([name]) => join(outDir, name)), comparison: comparison?.result ?? null};
}

/** Loads the comparison when it is asked for. */
async function compare(
  ours: readonly ResultFile[],
  base: readonly ResultFile[],
): Promise<{result: ResultComparison; html: string; markdown: string}> {
  const [{compareResults}, {comparisonHtml, comparisonMarkdown}] = await Promise.all([
    import('./compare/compareResults.ts'),
    import('./compare/comparisonText.ts'),
  ]);
  const result = compareResults(ours, base);
  return {result, html: comparisonHtml(result), markdown: comparisonMarkdown(result)};
}

function resultsOf(runs: readonly Run[]): ResultFile[] {
  return runs.map(({result}) => result);
}

async function readAll(files: readonly string[]): Promise<Run[]> {
  return Promise.all(files.map(async (file) => ({folder: dirname(file), result: await readResult(file)})));
}
