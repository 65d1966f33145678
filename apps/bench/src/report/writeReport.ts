import {dirname, join} from 'node:path';
import type {DbscanResultFile, ResultFile} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {findInput, writeContent} from '@epsball/datasets';
import {prepareFolder} from '../prepareFolder.ts';
import {readResult} from '../readResult.ts';
import type {ResultComparison} from './compare/compareResults.ts';
import {renderCsv} from './csv.ts';
import {renderHtml, type ElsewhereReport, type Page} from './html.ts';
import {illustrate} from './illustrate.ts';
import {renderMarkdown} from './markdown.ts';
import {buildReport, type Report} from './model.ts';
import {documentSections} from './front/documentSections.ts';
import {groupByMachine} from './front/machines.ts';
import {themeCss} from './theme.ts';

/** Folder of the charts that the Markdown report shows, beside it. */
const CHART_FOLDER = 'charts';

export interface WriteReportOptions {
  /** Result files, at least one; pictures are looked for beside each. */
  readonly results: readonly string[];
  /** A baseline that the results are judged against, and which stands beside them. Default: none. */
  readonly compareWith?: readonly string[] | null | undefined;
  readonly outDir: string;
  /** Results whose times of the reference stand in where a result has none. Default: none. */
  readonly references?: readonly string[] | undefined;
  /** Committed results; those of other machines with a GPU stand beside ours in the scoreboard. Default: none. */
  readonly beside?: readonly string[] | undefined;
  /** Reports of other machines that the page links. Default: none. */
  readonly elsewhere?: readonly ElsewhereReport[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WrittenReport {
  /** `report.html`, `report.md`, `report.json`, `report.csv`; after a comparison also `comparison.md`. */
  readonly files: readonly string[];
  readonly comparison: ResultComparison | null;
}

/**
 * Writes `report.html`, `report.md` (with its charts), `report.json` and `report.csv` from result files, and
 * `comparison.md` for a pull request if there is a baseline.
 *
 * @throws InvalidParameterError  if there are no results, or a file is not a result file or a file of the report;
 *                                names the file and the reason
 * @throws DatasetWriteError      if the folder takes no files
 * @throws the signal's reason    if `signal` fires; every file is as before, or new and whole
 */
export async function writeReport(options: WriteReportOptions): Promise<WrittenReport> {
  const {results, compareWith = null, outDir, signal} = options;
  if (results.length === 0) throw new InvalidParameterError('results', 'none', 'at least one result file');
  const files = await readAll(results);
  const base = await readAll(compareWith ?? []);
  const comparison = compareWith === null ? null : await compare(resultsOf(files), resultsOf(base));
  const report = buildReport([...files, ...base], comparison !== null, new Date().toISOString());
  const sections = await Promise.all(
    report.sections.map((section, index) => illustrate(section, sectionId(report, index))),
  );

  const references = await readDbscan(options.references ?? []);
  const beside = await readAll(options.beside ?? []);
  const here = groupByMachine(report.runs.slice(0, files.length), references);
  const others = groupByMachine(
    // A software GPU says nothing of speed, so it does not stand beside others.
    beside
      .filter(({result}) => result.adapter?.kind === 'hardware')
      .map(({folder, result}) => ({folder, result, label: '', letter: ''})),
    references,
  ).filter(({name}) => !here.some((one) => one.name === name));
  const documents = here.length === 0 ? [] : await documentSections(here[0]);
  const page: Page = {
    report,
    sections,
    machines: [...here, ...others],
    documents,
    elsewhere: options.elsewhere ?? [],
    comparison: comparison?.html ?? '',
  };

  signal?.throwIfAborted();
  await prepareFolder(outDir);
  await prepareFolder(join(outDir, CHART_FOLDER));
  const exhibited = documents.flatMap(({entries}) => entries.flatMap(({exhibit}) => exhibit?.charts ?? []));
  const drawn = [...sections.flatMap(({charts}) => charts), ...exhibited.map(({name, svg}) => ({name, body: svg}))];
  for (const {name, body} of drawn) {
    await writeContent(join(outDir, CHART_FOLDER, `${name}.svg`), standaloneSvg(body), signal);
  }
  const texts = [
    ['report.html', renderHtml(page)],
    ['report.md', renderMarkdown(page, CHART_FOLDER)],
    [
      'report.json',
      `${JSON.stringify({createdAt: report.createdAt, results: files.map(({result}) => result)}, null, 2)}\n`,
    ],
    ['report.csv', renderCsv(report)],
    ...(comparison === null ? [] : [['comparison.md', comparison.markdown] as const]),
  ] as const;
  const names = texts.map(([name]) => name);
  await refuseInputs(outDir, names, [results, compareWith, options.references, options.beside]);
  for (const [name, text] of texts) await writeContent(join(outDir, name), text, signal);
  return {files: texts.map(([name]) => join(outDir, name)), comparison: comparison?.result ?? null};
}

/** @throws InvalidParameterError  if a file of the report is one of the results */
async function refuseInputs(
  outDir: string,
  names: readonly string[],
  results: readonly (readonly string[] | null | undefined)[],
): Promise<void> {
  const inputs = results.flatMap((files) => files ?? []);
  for (const name of names) {
    const input = await findInput(join(outDir, name), inputs);
    if (input !== undefined) throw new InvalidParameterError('outDir', outDir, `a folder whose ${name} is no result`);
  }
}

interface Compared {
  readonly result: ResultComparison;
  readonly html: string;
  readonly markdown: string;
}

/** Loads the comparison when it is asked for: its statistics are some 500 modules. */
async function compare(ours: readonly ResultFile[], base: readonly ResultFile[]): Promise<Compared> {
  const [{compareResults}, {comparisonHtml, comparisonMarkdown}] = await Promise.all([
    import('./compare/compareResults.ts'),
    import('./compare/comparisonText.ts'),
  ]);
  const result = compareResults(ours, base);
  return {result, html: comparisonHtml(result), markdown: comparisonMarkdown(result)};
}

function resultsOf(files: readonly {readonly result: ResultFile}[]): ResultFile[] {
  return files.map(({result}) => result);
}

async function readAll(files: readonly string[]): Promise<{folder: string; result: ResultFile}[]> {
  return Promise.all(files.map(async (file) => ({folder: dirname(file), result: await readResult(file)})));
}

async function readDbscan(files: readonly string[]): Promise<DbscanResultFile[]> {
  const read = await readAll(files);
  return read.flatMap(({result}) => (result.kind === 'dbscan' ? [result] : []));
}

/** The suite's id; numbered where a suite has several sections. */
function sectionId({sections}: Report, index: number): string {
  const {id} = sections[index].suite;
  const earlier = sections.slice(0, index).filter(({suite}) => suite.id === id).length;
  return earlier === 0 ? id : `${id}-${earlier + 1}`;
}

/** A chart as a file of its own, with both themes inside. */
function standaloneSvg(svg: string): string {
  return svg.replace(/^(<svg [^>]*>)/, `$1<style>${themeCss('svg')} svg { background: var(--surface); }</style>`);
}
