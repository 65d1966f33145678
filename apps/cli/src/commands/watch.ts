import type {Command} from 'commander';
import {fstatSync, ReadStream} from 'node:fs';
import {addAbortSignal} from 'node:stream';
import {UsageError} from '../errors.ts';
import {delimiterOf, radius, timeSpan, type MetricFlags, type PointFlags, type Radius} from '../flags.ts';
import {choice, names, positiveInteger, runCommand} from '../options.ts';

interface WatchFlags extends Pick<PointFlags, 'columns' | 'timeColumn'>, Pick<MetricFlags, 'angles'> {
  readonly metric: 'euclidean' | 'haversine';
  readonly eps: Radius;
  readonly minPts: number;
  readonly delimiter: string;
  readonly window?: number;
  readonly last?: number;
}

export function addWatchCommand(program: Command): void {
  const command = program
    .command('watch')
    .description('read points from standard input, line by line, and tell how their clusters change')
    .requiredOption('--eps <E>', 'radius; with haversine with a unit: 50m, 2km', radius)
    .requiredOption('--min-pts <M>', 'points within eps that make a point core', positiveInteger)
    .addOption(choice('--metric <M>', '', ['euclidean', 'haversine'], 'euclidean'))
    .addOption(choice('--angles <A>', 'unit of latitudes and longitudes. Default: degrees', ['degrees', 'radians']))
    .optionsGroup('Points:')
    .option('--columns <a,b>', 'coordinates, by name or position from 0; LAT,LON with haversine. Default: 0,1', names)
    .option('--delimiter <C>', 'character between the cells of CSV; tab; space for any white space', delimiterOf, ',')
    .optionsGroup('Window:')
    .option('--time-column <T>', 'time of a point: a number, or a date, which counts in seconds')
    .option('--window <D>', 'keep points of the last time span: 300, 5min; needs --time-column', timeSpan)
    .option('--last <N>', 'keep the last points', positiveInteger)
    .action((flags: WatchFlags) => runCommand(command, (signal) => watch(flags, signal)));
}

async function watch(flags: WatchFlags, signal: AbortSignal): Promise<void> {
  const {columns, timeColumn, delimiter, eps, metric, angles = 'degrees', minPts} = flags;
  const window = windowOf(flags);
  if (metric === 'haversine' && eps.unit === undefined) throw new UsageError('--eps', eps.text, 'a unit: 50m, 2km');
  if (metric !== 'haversine' && eps.unit !== undefined) {
    throw new UsageError('--eps', eps.text, `no unit with --metric ${metric}`);
  }
  const [
    {createWindowDbscan},
    {InvalidParameterError, InvalidPointsError},
    {failure, lineReader, linesOf},
    {checkCsvFormat},
  ] = await Promise.all([
    import('@epsball/dbscan-dynamic'),
    import('@epsball/clustering'),
    import('../watch/readLine.ts'),
    import('@epsball/datasets'),
  ]);
  checkCsvFormat({delimiter});
  const dim = columns?.length ?? 2;
  const globe = metric === 'haversine' ? {angles, epsUnit: eps.unit} : {};
  const clustering = createWindowDbscan({eps: eps.value, minPts, dim, metric, window, ...globe});
  const read = lineReader({columns, timeColumn, delimiter});
  let line = 0;
  const changesOf = (one: string): string => {
    line++;
    const point = read(one, line);
    if (point === undefined) return '';
    const time = 'duration' in window && point.time !== undefined ? [point.time] : undefined;
    try {
      clustering.insert({coords: Float64Array.from(point.coords), dim, ...(columns && {columns})}, {time});
    } catch (error) {
      if (!(error instanceof InvalidParameterError) && !(error instanceof InvalidPointsError)) throw error;
      throw failure(
        line,
        error.message.replace('point 0, ', '').replace('time[0]', () => timeColumn ?? 'time'),
      );
    }
    const at = point.time === undefined ? {line} : {line, time: point.time};
    return clustering.view.changes().reduce((text, change) => `${text}${JSON.stringify({...at, ...change})}\n`, '');
  };
  await whileReading(async (onProgress) => {
    for await (const lines of linesOf(addAbortSignal(signal, process.stdin).setEncoding('utf8'))) {
      let text = '';
      try {
        for (const one of lines) text += changesOf(one);
      } finally {
        // A wrong line keeps the changes of the lines before it.
        if (text !== '') await write(text);
      }
      onProgress();
    }
  });
}

/** With a line of progress if standard input is a file, and the changes do not go to the terminal. */
async function whileReading(read: (onProgress: () => void) => Promise<void>): Promise<void> {
  // Of pipes and terminals standard input is another kind of stream.
  const total = process.stdin instanceof ReadStream ? fstatSync(0).size : 0;
  if (total === 0 || process.stdout.isTTY) return read(() => {});
  const {withProgress} = await import('../cluster/progressBar.ts');
  await withProgress('watch', (update) => read(() => update({phase: 'watch', done: process.stdin.bytesRead, total})));
}

function windowOf({window, last, timeColumn}: WatchFlags): {duration: number} | {count: number} {
  if (window === undefined && last === undefined)
    throw new UsageError('--window', undefined, 'a span of time, or --last');
  if (window !== undefined && last !== undefined)
    throw new UsageError('--last', String(last), 'no --last with --window');
  if (last !== undefined) return {count: last};
  if (timeColumn === undefined) throw new UsageError('--time-column', undefined, 'the column of the times');
  return {duration: Number(window)};
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
