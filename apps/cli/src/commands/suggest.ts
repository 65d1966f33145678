import type {EpsUnit, Metric} from '@epsball/clustering';
import type {Proposal, Suggestion} from '@epsball/dbscan/suggest';
import type {Command} from 'commander';
import {basename} from 'node:path';
import {addCsvFlags, csvFormatOf, type CsvFlags} from '../cluster/csvFlags.ts';
import {columnsOf, pointsInOrder, WITH_COLUMNS} from '../cluster/metricFlags.ts';
import {UsageError} from '../errors.ts';
import {inFlags} from '../flagNames.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {nameOfInput, names, oneOf, outputFile, positiveInteger, STANDARD_INPUT} from '../options.ts';
import {nameFile} from '../nameFile.ts';
import {checkOutputs} from '../outputs.ts';
import {formatCount, formatTable} from '../text.ts';

/** The metrics that are Euclidean on mapped points. */
const METRICS: readonly Metric[] = ['euclidean', 'haversine', 'cosine'];
const UNITS: readonly EpsUnit[] = ['km', 'm', 'mi', 'rad'];

/** Flags by parameter of the libraries. */
const FLAGS = {minPts: '--min-pts', dim: '--dim', delimiter: '--delimiter', decimal: '--decimal'};

interface SuggestFlags extends CsvFlags {
  readonly minPts?: number;
  readonly metric: Metric;
  readonly unit?: EpsUnit;
  readonly columns?: readonly string[];
  readonly dim?: number;
  readonly plot?: string;
}

export function addSuggestCommand(program: Command): void {
  const command = program
    .command('suggest')
    .description('propose eps for the points of a file, and show what each gives')
    .argument('<INPUT>', 'file of points, as for cluster')
    .option('--min-pts <M>', 'default: twice the dimensions, at least 4', positiveInteger('--min-pts'))
    .option('--metric <M>', METRICS.join('|'), oneOf('--metric', METRICS), 'euclidean')
    .option('--unit <U>', 'unit of eps with haversine: km (default), m, mi or rad', oneOf('--unit', UNITS))
    .option('--columns <a,b>', 'columns of a table, by name or position; LAT,LON with haversine', names('--columns'))
    .option('--dim <D>', 'coordinates per point, for files without a shape', positiveInteger('--dim'))
    .option('--plot <FILE>', 'the distances and the proposals: .svg|.png', outputFile('--plot', ['.svg', '.png']))
    .action((input: string, flags: SuggestFlags) =>
      abortOnInterrupt((signal) => inFlags(FLAGS, () => suggest(input, flags, signal))),
    );
  addCsvFlags(command);
}

async function suggest(input: string, flags: SuggestFlags, signal: AbortSignal): Promise<void> {
  const {metric, unit, dim, minPts, plot} = flags;
  if (unit !== undefined && metric !== 'haversine') {
    throw new UsageError('--unit', unit, `no unit with --metric ${metric}`);
  }
  const [{suggestEps}, {readInput}] = await Promise.all([
    import('@epsball/dbscan/suggest'),
    import('../cluster/readInput.ts'),
  ]);
  await checkOutputs({'--plot': plot}, [input]);
  if (plot !== undefined) await import('../plot/writePlot.ts').then(({checkPlot}) => checkPlot(plot));
  const hasNames = input === STANDARD_INPUT || WITH_COLUMNS.test(input);
  const loaded = await readInput(input, {columns: columnsOf(flags, hasNames), dim, ...csvFormatOf(flags), signal});
  const points = pointsInOrder(loaded, flags, hasNames);
  const epsUnit = unit ?? 'km';
  const globe = metric === 'haversine' ? ({angles: 'degrees', epsUnit} as const) : {};
  const found = await nameFile(input, () => suggestEps(points, {minPts, metric, signal, ...globe}));
  const shownUnit = metric === 'haversine' ? epsUnit : '';
  if (plot !== undefined) await writeSuggestion(plot, found, {title: nameOfInput(input), unit: shownUnit}, signal);
  process.stdout.write(formatSuggestion(found, shownUnit));
}

async function writeSuggestion(
  plot: string,
  found: Suggestion,
  {title, unit}: {readonly title: string; readonly unit: string},
  signal: AbortSignal,
): Promise<void> {
  const [{escapeControls, writeContent}, {isPng, svgToPng}, {renderSuggestion}] = await Promise.all([
    import('@epsball/datasets'),
    import('../plot/writePlot.ts'),
    import('../plot/suggestion.ts'),
  ]);
  const theme = isPng(plot) ? 'light' : 'auto';
  const svg = renderSuggestion(found, {title: escapeControls(basename(title)), unit, theme});
  const content = isPng(plot) ? await svgToPng(svg) : svg;
  await writeContent(plot, content, signal);
}

/** The proposals as a table, and a sentence about structure. */
function formatSuggestion(suggestion: Suggestion, unit: string): string {
  const {minPts, distances, zeroDistances, knee, cut, plateau, hasStructure} = suggestion;
  const eps = (value: number): string => `${Number(value.toPrecision(4))}${unit}`;
  const row = (name: string, proposal: Proposal | undefined, note: string): string[][] =>
    proposal === undefined
      ? []
      : [
          [
            name,
            eps(proposal.eps),
            formatCount(proposal.clusters),
            formatCount(proposal.noise),
            [note, proposal.warning].filter(Boolean).join('; '),
          ],
        ];
  const range =
    plateau === undefined
      ? ''
      : `${eps(plateau.from)} to ${eps(plateau.to)}, ${plateau.octaves.toFixed(2)} octaves with one number of clusters`;
  const table = formatTable([
    ['PROPOSAL', 'EPS', 'CLUSTERS', 'NOISE', `WITH MINPTS ${minPts}`],
    ...row('plateau', plateau, range),
    ...row('knee', knee, knee === undefined ? '' : `height ${knee.height.toFixed(2)} of the curve of distances`),
    ...row('cut', cut, 'between two modes of log distance'),
  ]);
  const verdict = hasStructure
    ? 'The plateau is the safest choice.\n'
    : 'No plateau of half an octave: the points have no structure at this scale, and a knee or a cut means little.\n';
  const zeros =
    zeroDistances === 0
      ? ''
      : `${formatCount(zeroDistances)} of ${formatCount(distances.length)} distances are 0 and left out of knee and cut: ` +
        `points whose place holds ${formatCount(minPts)} or more.\n`;
  return table + zeros + verdict;
}
