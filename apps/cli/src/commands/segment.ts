import type {ProgressListener} from '@epsball/clustering';
import type {MeanShiftParams} from '@epsball/mean-shift';
import type {Command} from 'commander';
import {withProgress} from '../cluster/progressBar.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {addBackendFlags, checkBackend, type BackendFlags} from '../flags.ts';
import {checkOutputs, choice, numberFrom, outputFile, positiveNumber, required, runCommand} from '../options.ts';
import type {Picture} from '../segment/imageFile.ts';
import type {Paint} from '../segment/pixels.ts';
import type {SegmentReport} from '../segment/segmentReport.ts';

const FORMATS = ['.png', '.jpg', '.jpeg'];

/** Far below any use. Coordinates in bandwidths stay finite in float32. */
const BANDWIDTH_MIN = 1e-9;

/** Default radius of the Gaussian, in bandwidths. */
const CUT = 2;

/** In bandwidths. A hundredth of R is not visible, and a hundredth of S is less than a pixel. */
const TOLERANCE = 0.01;

/** Axes of the picture, x and y, and axes of colour. */
const PICTURE_AND_COLOR = [2, 3];

interface SegmentOptions extends BackendFlags {
  readonly spatialBandwidth: number;
  readonly colorBandwidth: number;
  readonly out: string;
  readonly kernel: 'flat' | 'gaussian';
  readonly cut?: number;
  readonly paint: Paint;
  readonly json?: boolean;
}

export function addSegmentCommand(program: Command): void {
  const bandwidth = numberFrom(BANDWIDTH_MIN);
  const command = program
    .command('segment')
    .description('segment a picture by mean shift: pixels with near modes get one colour')
    .argument('<IMAGE>', 'PNG, JPEG, WebP, AVIF, GIF or TIFF file')
    .optionsGroup('Mean shift:')
    .option('--spatial-bandwidth <S>', `bandwidth of positions, in pixels, ≥ ${BANDWIDTH_MIN}`, bandwidth)
    .option('--color-bandwidth <R>', `bandwidth of colours, in units of L*a*b*, ≥ ${BANDWIDTH_MIN}`, bandwidth)
    .addOption(choice('--kernel <KIND>', '', ['flat', 'gaussian'], 'flat'))
    .option('--cut <C>', `radius of the Gaussian, in bandwidths, ≥ 1 (default: ${CUT})`, positiveNumber);
  addBackendFlags(command)
    .optionsGroup('Output:')
    .option('--out <FILE>', `picture: ${FORMATS.join('|')}`, outputFile(FORMATS))
    .addOption(
      choice(
        '--paint <HOW>',
        'colour of the mode, mean of the pixels, or their borders',
        ['mode', 'mean', 'borders'],
        'mode',
      ),
    )
    .option('--json', 'print one JSON object instead of the summary')
    .action((image: string, options: SegmentOptions) =>
      runCommand(command, (signal) => segment(image, options, signal)),
    );
}

async function segment(image: string, options: SegmentOptions, signal: AbortSignal): Promise<void> {
  if (options.cut !== undefined && options.kernel === 'flat') {
    const expectation = '--kernel gaussian beside it; the flat kernel has a radius of one bandwidth';
    throw new UsageError('--cut', String(options.cut), expectation);
  }
  checkBackend(options);
  const report = await withProgress('read', (onProgress) => segmentFile(image, options, {signal, onProgress}));
  const {describeSegments} = await import('../segment/segmentReport.ts');
  process.stdout.write(options.json === true ? jsonLine(report) : describeSegments(report));
}

async function segmentFile(
  image: string,
  options: SegmentOptions,
  run: {readonly signal: AbortSignal; readonly onProgress: ProgressListener},
): Promise<SegmentReport> {
  const {signal} = run;
  const enter = (phase: string): void => run.onProgress({phase, done: 0, total: 0});
  const scale = {
    spatialBandwidth: required('--spatial-bandwidth', options.spatialBandwidth, `a finite number ≥ ${BANDWIDTH_MIN}`),
    colorBandwidth: required('--color-bandwidth', options.colorBandwidth, `a finite number ≥ ${BANDWIDTH_MIN}`),
  };
  const out = required('--out', options.out, 'a file to write');
  const [{readPicture, writePicture}, {openBackend}] = await Promise.all([
    import('../segment/imageFile.ts'),
    import('../segment/openBackend.ts'),
  ]);
  await checkOutputs({'--out': out}, [image]);
  // Both at once: pictures are decoded on other threads, and the driver opens the device.
  const [reading, opening] = await Promise.allSettled([
    timed(() => readPicture(image, signal)),
    timed(() => openBackend(options)),
  ]);
  if (reading.status === 'rejected') {
    if (opening.status === 'fulfilled') opening.value.result[Symbol.dispose]();
    throw reading.reason;
  }
  if (opening.status === 'rejected') throw opening.reason;
  using opened = opening.value.result;
  signal.throwIfAborted();
  const picture = reading.value.result;
  enter('index');
  const params = {scale, meanShift: paramsOf(options), paint: options.paint};
  const segmenting = await timed(() => opened.segment(picture, params, run));
  const {painted, segments, iterations, stats, paintMs} = segmenting.result;
  signal.throwIfAborted();
  enter('write');
  const writing = await timed(() => writePicture(out, painted, signal));
  return {
    input: image,
    ...sizeOf(picture),
    ...scale,
    segments,
    iterations,
    shifts: stats.counters.shifts,
    backend: opened.backend,
    adapter: opened.adapter,
    ms: {
      read: reading.value.ms,
      open: opening.value.ms,
      segment: segmenting.ms,
      phases: {...stats.phaseMs, paint: paintMs},
      device: stats.deviceMs ?? null,
      write: writing.ms,
      total: performance.now(),
    },
    deviceBytes: stats.deviceBytes ?? null,
    out,
  };
}

function sizeOf({width, height, frames = 1}: Picture): Pick<SegmentReport, 'width' | 'height' | 'frames'> {
  return {width, height, frames};
}

async function timed<T>(work: () => T | Promise<T>): Promise<{result: T; ms: number}> {
  const startedAt = performance.now();
  const result = await work();
  return {result, ms: performance.now() - startedAt};
}

function paramsOf({kernel, cut = CUT}: SegmentOptions): MeanShiftParams {
  const shared = {bandwidth: 1, tolerance: TOLERANCE, assignment: 'basin', domains: PICTURE_AND_COLOR} as const;
  return kernel === 'flat' ? {...shared, kernel} : {...shared, kernel, cut};
}
