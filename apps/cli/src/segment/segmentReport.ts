import {escapeControls} from '@epsball/datasets';
import {formatCount, formatMs, formatTable} from '../text.ts';

/** The object that `epsball segment --json` prints on one line. */
export interface SegmentReport {
  input: string;
  width: number;
  height: number;
  /** Frames or pages of the file, of which the first one was read. */
  frames: number;
  spatialBandwidth: number;
  colorBandwidth: number;
  segments: number;
  /** Steps of the longest trajectory. */
  iterations: number;
  /** Steps of all pixels. */
  shifts: number;
  backend: string;
  /** Null without a GPU. */
  adapter: string | null;
  ms: {
    /** Reading and decoding the picture. Runs beside `open`. */
    read: number;
    open: number;
    /** From pixels to segments and back to pixels. */
    segment: number;
    /** Parts of `segment`: the phases of mean shift, and painting. */
    phases: Record<string, number>;
    /** All kernels; null without a GPU or if the adapter has no timestamps. */
    device: number | null;
    /** Encoding and writing. */
    write: number;
    /** Time since the process began. */
    total: number;
  };
  deviceBytes: number | null;
  out: string;
}

export function describeSegments(report: SegmentReport): string {
  const {ms, iterations, shifts, width, height} = report;
  const device = ms.device === null ? '' : `, ${formatMs(ms.device)} of it on the device`;
  const first = report.frames === 1 ? '' : `, the first of ${formatCount(report.frames)} frames`;
  const phases = Object.entries(ms.phases).map(([name, time]) => `${name} ${formatMs(time)}`);
  return formatTable([
    ['picture', `${width} × ${height} pixels (${escapeControls(report.input)})${first}`],
    ['segments', formatCount(report.segments)],
    ['steps', `${iterations} at most, ${(shifts / (width * height)).toFixed(1)} a pixel`],
    ['backend', report.backend],
    ['adapter', report.adapter ?? 'none'],
    ['time', `${formatMs(ms.segment)}${device}: ${phases.join(', ')}`],
    [
      'command',
      `${formatMs(ms.total)}: reading ${formatMs(ms.read)}, meanwhile opening ${formatMs(ms.open)}; writing ${formatMs(ms.write)}`,
    ],
    ['written', escapeControls(report.out)],
  ]);
}
