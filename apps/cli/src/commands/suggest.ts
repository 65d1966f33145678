import type {EpsUnit} from '@epsball/clustering';
import type {Proposal, Suggestion} from '@epsball/dbscan/suggest';
import type {Command} from 'commander';
import {basename} from 'node:path';
import {UsageError} from '../errors.ts';
import {
  addDatasetFlag,
  addMissingFlag,
  addPointFlags,
  addSqlFlag,
  EPS_UNITS,
  PLOT_FORMATS,
  type MetricFlags,
  type PointFlags,
} from '../flags.ts';
import {inputFiles} from '../inputFiles.ts';
import {
  checkOutputs,
  choice,
  inputOf,
  nameOfInput,
  outputFile,
  positiveInteger,
  runCommand,
  SQL_INPUT,
} from '../options.ts';
import {formatCount, formatTable, shellWord} from '../text.ts';

interface SuggestFlags extends PointFlags, Pick<MetricFlags, 'metric'> {
  readonly minPts?: number;
  readonly unit?: EpsUnit;
  readonly plot?: string;
}

export function addSuggestCommand(program: Command): void {
  const command = program
    .command('suggest')
    .description('propose eps for the points of a file, and show what each gives')
    .argument('[INPUT]', 'file of points, as for cluster')
    .option('--min-pts <M>', 'default: twice the dimensions, at least 4', positiveInteger)
    // The metrics that are Euclidean on mapped points.
    .addOption(choice('--metric <M>', '', ['euclidean', 'haversine', 'cosine'], 'euclidean'))
    .addOption(choice('--unit <U>', 'unit of eps with haversine. Default: km', EPS_UNITS))
    .option('--plot <FILE>', 'the distances and the proposals: .svg|.png', outputFile(PLOT_FORMATS));
  addSqlFlag(addMissingFlag(addDatasetFlag(addPointFlags(command)))).action(
    (file: string | undefined, flags: SuggestFlags) =>
      runCommand(command, (signal) => suggest(inputOf(file, flags.sql), flags, signal)),
  );
}

async function suggest(input: string, flags: SuggestFlags, signal: AbortSignal): Promise<void> {
  const {metric, unit, minPts, plot, missing} = flags;
  if (unit !== undefined && metric !== 'haversine') {
    throw new UsageError('--unit', unit, `no unit with --metric ${metric}`);
  }
  const [{suggestEps}, {nameFile, readInput}, {withProgress}] = await Promise.all([
    import('@epsball/dbscan/suggest'),
    import('../cluster/readInput.ts'),
    import('../cluster/progressBar.ts'),
  ]);
  await checkOutputs({'--plot': plot}, await inputFiles(input, flags.sql));
  if (plot !== undefined) await import('../plot/writePlot.ts').then(({checkPlots}) => checkPlots(plot));
  const points = await readInput(input, flags, signal);
  const globe = metric === 'haversine' ? ({angles: 'degrees', epsUnit: unit ?? 'km'} as const) : {epsUnit: undefined};
  const found = await withProgress('distances', (onProgress) =>
    nameFile(input, () => suggestEps(points, {minPts, metric, missing, signal, onProgress, ...globe})),
  );
  const shownUnit = globe.epsUnit ?? '';
  if (plot !== undefined) await writeSuggestion(plot, found, {input, unit: shownUnit}, signal);
  const {columnsLine} = await import('../cluster/leftColumns.ts');
  process.stdout.write(
    columnsLine(points, flags.sql) + formatSuggestion(found, shownUnit) + commandLine(input, flags, found, shownUnit),
  );
}

async function writeSuggestion(
  plot: string,
  found: Suggestion,
  {input, unit}: {readonly input: string; readonly unit: string},
  signal: AbortSignal,
): Promise<void> {
  const [{escapeControls}, {writeSvg}, {renderSuggestion}] = await Promise.all([
    import('@epsball/datasets'),
    import('../plot/writePlot.ts'),
    import('../plot/suggestion.ts'),
  ]);
  const title = escapeControls(basename(nameOfInput(input)));
  await writeSvg(plot, (theme) => renderSuggestion(found, {title, unit, theme}), signal);
}

/** The proposals as a table, and a sentence about structure. */
function formatSuggestion(suggestion: Suggestion, unit: string): string {
  const {minPts, distances, zeroDistances, knee, cut, plateau, hasStructure} = suggestion;
  const eps = (value: number): string => `${Number(value.toPrecision(4))}${unit}`;
  const row = (name: string, proposal: Proposal | undefined, note?: string): string[][] => {
    if (proposal === undefined) return [];
    const {clusters, noise, warning} = proposal;
    const notes = [note, warning].filter(Boolean).join('; ');
    return [[name, eps(proposal.eps), formatCount(clusters), formatCount(noise), notes]];
  };
  const range = ({from, to, octaves}: NonNullable<typeof plateau>): string =>
    `${eps(from)} to ${eps(to)}, ${octaves.toFixed(2)} octaves with one number of clusters`;
  const table = formatTable([
    ['PROPOSAL', 'EPS', 'CLUSTERS', 'NOISE', `WITH MINPTS ${minPts}`],
    ...row('plateau', plateau, plateau && range(plateau)),
    ...row('knee', knee, knee && `height ${knee.height.toFixed(2)} of the curve of distances`),
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

/** The line that clusters by the best proposal; HDBSCAN* where no proposal means much. */
function commandLine(input: string, flags: SuggestFlags, suggestion: Suggestion, unit: string): string {
  const {minPts, plateau, hasStructure} = suggestion;
  const given = (
    [
      ['--sql', flags.sql],
      ['--columns', flags.columns?.join(',')],
      ['--metric', flags.metric === 'euclidean' ? undefined : flags.metric],
      ['--delimiter', flags.delimiter],
      ['--decimal', flags.decimal],
      ['--dim', flags.dim],
      ['--dataset', flags.dataset],
      ['--missing', flags.missing],
    ] as const
  ).flatMap(([flag, value]) => (value === undefined ? [] : [`${flag} ${shellWord(String(value))}`]));
  const best = hasStructure && plateau !== undefined;
  const what = best
    ? `--eps ${Number(plateau.eps.toPrecision(4))}${unit} --min-pts ${minPts}`
    : `--min-cluster-size ${Math.max(5, minPts)}`;
  const words = [
    'epsball',
    best ? 'cluster' : 'hdbscan',
    ...(input === SQL_INPUT ? [] : [shellWord(input)]),
    ...given,
    what,
  ];
  return `\n${words.join(' ')}\n`;
}
