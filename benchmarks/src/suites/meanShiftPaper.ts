import type {MeanShiftFactor, MeanShiftFigure, MeanShiftMethod} from '../meanShift/suite.ts';

/** The document's numbers of points. */
export const SIZES: readonly number[] = [100, 1000, 10_000, 100_000, 250_000];

/** The document's times as printed; its OpenMP column is that of the best number of threads. */
export const PUBLISHED: readonly MeanShiftFigure[] = [
  ...times('sequential', ['0.005384 s', '0.475485 s', '49.29 s', '4560.37 s', '† 27768 s']),
  ...times('workers', ['0.001473 s', '0.140161 s', '15.25 s', '1403.78 s', '† 8720 s']),
  ...times('tiled', ['0.000401 s', '0.003044 s', '0.171354 s', '15.79 s', '100.38 s']),
  ...times('naive', ['0.000437 s', '0.003359 s', '0.191216 s', '18.29 s', '121.10 s']),
  ...Object.entries({
    16: '0.334405 s',
    32: '0.176171 s',
    64: '0.171354 s',
    128: '0.172666 s',
    256: '0.173306 s',
    512: '0.175091 s',
    1024: '0.18845 s',
  }).map(([width, printed]) => time('tiled', 10_000, Number(width), printed)),
];

/** The document's speed-ups as printed. Some are not the rounded quotients of its times: 3.24 of 49.29 and 15.25 s. */
export const PUBLISHED_FACTORS: readonly MeanShiftFactor[] = [
  ...factors('sequential', 'workers', ['3.66', '3.39', '3.24', '3.25', '† 3.18']),
  ...factors('sequential', 'tiled', ['13.43', '156.21', '287.64', '288.80', '† 276.61']),
  ...factors('naive', 'tiled', ['1.09', '1.11', '1.12', '1.16', '1.20']),
];

function times(method: MeanShiftMethod, printed: readonly string[]): MeanShiftFigure[] {
  return SIZES.map((n, k) => time(method, n, null, printed[k]));
}

function time(method: MeanShiftMethod, n: number, tileWidth: number | null, printed: string): MeanShiftFigure {
  const ms = 1000 * Number.parseFloat(printed.replace('† ', ''));
  return {method, n, tileWidth, ms, printed, isEstimated: printed.startsWith('†')};
}

function factors(over: MeanShiftMethod, method: MeanShiftMethod, printed: readonly string[]): MeanShiftFactor[] {
  return SIZES.map((n, k) => ({over, method, n, printed: printed[k]}));
}
