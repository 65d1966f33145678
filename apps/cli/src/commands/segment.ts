import {throwIfAborted, type ProgressListener} from '@epsball/clustering';
import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type {MeanShiftParams} from '@epsball/mean-shift';
import type {Command} from 'commander';
import {createProgressBar} from '../cluster/progressBar.ts';
import {UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import {inFlags} from '../flagNames.ts';
import {abortOnInterrupt} from '../interrupt.ts';
import {numberFrom, oneOf, outputFile, positiveInteger, positiveNumber, required} from '../options.ts';
import {checkOutputs} from '../outputs.ts';
import type {Paint} from '../segment/pixels.ts';
import type {SegmentBackend} from '../segment/segmented.ts';
import type {SegmentReport} from '../segment/segmentReport.ts';

const BACKENDS: readonly SegmentBackend[] = ['auto', 'sequential', 'workers', 'gpu'];
const PAINTS: readonly Paint[] = ['mode', 'mean'];
const KERNELS = ['flat', 'gaussian'] as const;
const FORMATS = ['.png', '.jpg', '.jpeg'];

/** Far below any use. Coordinates in bandwidths stay finite in float32. */
const BANDWIDTH_MIN = 1e-9;

/** Default radius of the Gaussian, in bandwidths. */
const CUT = 2;

/** In bandwidths. A hundredth of R is not visible, and a hundredth of S is less than a pixel. */
const TOLERANCE = 0.01;

/** Axes of the picture, x and y, and axes of colour. */
const PICTURE_AND_COLOR = [2, 3];

interface SegmentOptions {
  readonly spatialBandwidth?: number;
  readonly colorBandwidth?: number;
  readonly out?: string;
  readonly kernel: (typeof KERNELS)[number];
  readonly cut?: number;
  readonly paint: Paint;
  readonly backend: SegmentBackend;
  readonly threads?: number;
  readonly adapter: AdapterChoice;
  readonly json?: boolean;
}

export function addSegmentCommand(program: Command): void {
  program
    .command('segment')
    .description('segment a picture by mean shift: pixels with near modes get one colour')
    .argument('<IMAGE>', 'PNG or JPEG file')
    .option(
      '--spatial-bandwidth <S>',
      `bandwidth of positions, in pixels, ≥ ${BANDWIDTH_MIN}`,
      numberFrom('--spatial-bandwidth', BANDWIDTH_MIN),
    )
    .option(
      '--color-bandwidth <R>',
      `bandwidth of colours, in units of L*a*b*, ≥ ${BANDWIDTH_MIN}`,
      numberFrom('--color-bandwidth', BANDWIDTH_MIN),
    )
    .option('--out <FILE>', `picture: ${FORMATS.join('|')}`, outputFile('--out', FORMATS))
    .option('--kernel <KIND>', KERNELS.join('|'), oneOf('--kernel', KERNELS), 'flat')
    .option('--cut <C>', `radius of the Gaussian, in bandwidths, ≥ 1 (default: ${CUT})`, positiveNumber('--cut'))
    .option(
      '--paint <HOW>',
      'mode|mean: colour of the mode, or mean colour of the pixels',
      oneOf('--paint', PAINTS),
      'mode',
    )
    .option('--backend <WHERE>', BACKENDS.join('|'), oneOf('--backend', BACKENDS), 'auto')
    .option('--threads <T>', 'worker threads', positiveInteger('--threads'))
    .option('--adapter <KIND>', 'auto|hardware|software; hardware and software imply the GPU', adapterChoice, 'auto')
    .option('--json', 'print one JSON object instead of the summary')
    .action((image: string, options: SegmentOptions) => {
      const flags = {
        cut: '--cut',
        threads: '--threads',
        adapter: options.adapter === 'auto' ? ADAPTER_VARIABLE : '--adapter',
      };
      return abortOnInterrupt((signal) => inFlags(flags, () => segment(image, options, signal)));
    });
}

/** Takes the kinds of software adapter as well: `system-software`, `bundled`. */
function adapterChoice(text: string): AdapterChoice {
  return oneOf('--adapter', ADAPTER_CHOICES)(text);
}

async function segment(image: string, options: SegmentOptions, signal: AbortSignal): Promise<void> {
  const bar = createProgressBar();
  const report = await segmentFile(image, options, {signal, onProgress: bar.update}).finally(bar.clear);
  const {describeSegments} = await import('../segment/segmentReport.ts');
  process.stdout.write(options.json === true ? jsonLine(report) : describeSegments(report));
}

/** The signal and the listener of the command. */
interface Run {
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

async function segmentFile(image: string, options: SegmentOptions, run: Run): Promise<SegmentReport> {
  const {signal} = run;
  const enter = (phase: string): void => run.onProgress({phase, done: 0, total: 0});
  const scale = {
    spatialBandwidth: required('--spatial-bandwidth', options.spatialBandwidth, `a finite number ≥ ${BANDWIDTH_MIN}`),
    colorBandwidth: required('--color-bandwidth', options.colorBandwidth, `a finite number ≥ ${BANDWIDTH_MIN}`),
  };
  const out = required('--out', options.out, 'a file to write');
  checkChoice(options);
  enter('read');
  const [{readPicture, writePicture}, {openBackend}] = await Promise.all([
    import('../segment/imageFile.ts'),
    import('../segment/openBackend.ts'),
  ]);
  await checkOutputs({'--out': out}, [image]);
  // Both at once: pictures are decoded on other threads, and the driver opens the device.
  const [reading, opening] = await Promise.allSettled([
    timed(() => readPicture(image, signal)),
    timed(() => openBackend(options.backend, options, signal)),
  ]);
  if (reading.status === 'rejected') {
    if (opening.status === 'fulfilled') opening.value.result[Symbol.dispose]();
    throw reading.reason;
  }
  if (opening.status === 'rejected') throw opening.reason;
  using opened = opening.value.result;
  throwIfAborted(signal, 'read');
  const picture = reading.value.result;
  enter('index');
  const params = {scale, meanShift: paramsOf(options), paint: options.paint};
  const segmenting = await timed(() => opened.segment(picture, params, run));
  const {painted, segments, iterations, stats, paintMs} = segmenting.result;
  throwIfAborted(signal, 'write');
  enter('write');
  const writing = await timed(() => writePicture(out, painted, signal));
  return {
    input: image,
    width: picture.width,
    height: picture.height,
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

async function timed<T>(work: () => T | Promise<T>): Promise<{result: T; ms: number}> {
  const startedAt = performance.now();
  const result = await work();
  return {result, ms: performance.now() - startedAt};
}

function paramsOf({kernel, cut = CUT}: SegmentOptions): MeanShiftParams {
  const shared = {bandwidth: 1, tolerance: TOLERANCE, assignment: 'basin', domains: PICTURE_AND_COLOR} as const;
  return kernel === 'flat' ? {...shared, kernel} : {...shared, kernel, cut};
}

/** @throws UsageError  if an option would be ignored */
function checkChoice({kernel, cut, backend, threads, adapter}: SegmentOptions): void {
  if (cut !== undefined && kernel === 'flat') {
    throw new UsageError(
      '--cut',
      String(cut),
      '--kernel gaussian beside it; the flat kernel has a radius of one bandwidth',
    );
  }
  if (threads !== undefined && backend !== 'auto' && backend !== 'workers') {
    throw new UsageError('--threads', String(threads), `--backend workers or auto beside it, not ${backend}`);
  }
  if (adapter !== 'auto' && backend !== 'auto' && backend !== 'gpu') {
    throw new UsageError('--adapter', adapter, `--backend gpu or auto beside it, not ${backend}`);
  }
  if (adapter !== 'auto' && threads !== undefined) {
    throw new UsageError('--threads', String(threads), 'no --adapter beside it, which implies the GPU');
  }
}
