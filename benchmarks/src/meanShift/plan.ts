import type {MeanShiftCell, MeanShiftKey} from './result.ts';
import type {MeanShiftMethod, MeanShiftProfile, MeanShiftSubject, MeanShiftSuite} from './suite.ts';

/** One subject at all of its sizes, ascending. */
export interface MeanShiftSeries {
  readonly subject: MeanShiftSubject;
  readonly sizes: readonly number[];
}

/** What is known when a cell is about to start. */
export interface MeanShiftContext {
  /** Processors of the machine. */
  readonly threads: number;
  readonly adapterError: string | null;
  /** The adapter is a software one. */
  readonly softwareGpu: boolean;
  readonly elapsedSeconds: number;
  /** Seconds of one run at the size before, or null. */
  readonly previous: {readonly n: number; readonly runSeconds: number} | null;
}

/** Whether a method runs on the GPU. */
export function runsOnGpu(method: MeanShiftMethod): boolean {
  return method === 'naive' || method === 'tiled' || method === 'ours-gpu';
}

/** Whether a method is ours, from points to labels. */
export function isOurs(method: MeanShiftMethod): boolean {
  return method.startsWith('ours-');
}

/** Tile of `tiled` where the document names none. */
export const USUAL_TILE = 256;

/** Every series of a suite, in running order: what most tables need comes first. */
export function planMeanShift(suite: MeanShiftSuite, profile: MeanShiftProfile): MeanShiftSeries[] {
  const sizes = [...profile.sizes, ...profile.fitSizes].toSorted((a, b) => a - b);
  const alone = (method: MeanShiftMethod): MeanShiftSubject => ({method, threads: 1, tileWidth: null});
  const tiled = (tileWidth: number): MeanShiftSubject => ({...alone('tiled'), tileWidth});
  const workers = suite.threads.map((threads) => ({subject: {...alone('workers'), threads}, sizes}));
  const sweepSizes = [...(profile.tileSizes ?? []), suite.tileSweepN];
  const sweep = suite.tileWidths.filter((width) => width !== USUAL_TILE);
  return [
    {subject: alone('sequential'), sizes},
    {subject: tiled(USUAL_TILE), sizes: profile.sizes},
    {subject: alone('naive'), sizes: profile.sizes},
    ...workers,
    {subject: alone('ours-gpu'), sizes: profile.ourSizes},
    {subject: alone('ours-workers'), sizes: profile.ourSizes},
    {subject: alone('ours-sequential'), sizes: profile.ourSizes},
    ...sweep.map((width) => ({subject: tiled(width), sizes: sweepSizes})),
  ];
}

/** Why a cell is left out, or null where it runs. `isSlow`: only because it would take too long. */
export function whyMeanShiftLeftOut(
  {method, threads}: MeanShiftSubject,
  n: number,
  profile: MeanShiftProfile,
  context: MeanShiftContext,
): {readonly reason: string; readonly isSlow: boolean} | null {
  const no = (reason: string, isSlow = false): {reason: string; isSlow: boolean} => ({reason, isSlow});
  if (threads > context.threads) return no(`the machine has ${context.threads} processors`);
  if (runsOnGpu(method)) {
    if (context.adapterError !== null) return no(context.adapterError);
    if (context.softwareGpu && n > profile.softwareGpuMaxN) {
      return no(`software GPU adapter: at most ${profile.softwareGpuMaxN.toLocaleString('en-US')} points`);
    }
  }
  const {previous} = context;
  const growth = previous === null ? 0 : n / previous.n;
  if (previous !== null && previous.runSeconds * growth * growth > profile.cellSeconds) {
    return no(`one run is expected to take more than ${profile.cellSeconds} s`, true);
  }
  if (context.elapsedSeconds > profile.suiteSeconds) {
    return no(`the profile’s ${profile.suiteSeconds} s for this suite are used up`, true);
  }
  return null;
}

/** `workers on 4 threads at 10,000`: for lines of progress and errors. */
export function nameMeanShift({method, threads, tileWidth, n}: MeanShiftKey): string {
  const hasThreads = method === 'workers' || (method === 'ours-workers' && threads > 1);
  const onThreads = hasThreads ? ` on ${threads} ${threads === 1 ? 'thread' : 'threads'}` : '';
  const withTile = tileWidth === null ? '' : ` with tiles of ${tileWidth}`;
  return `${method}${onThreads}${withTile} at ${n.toLocaleString('en-US')}`;
}

/** The failed cells of a run, one sentence each. */
export function failedMeanShifts(suite: MeanShiftSuite, cells: readonly MeanShiftCell[]): string[] {
  return cells.flatMap((cell) =>
    cell.status === 'failed' ? [`${suite.id}: ${nameMeanShift(cell)}: ${cell.error}`] : [],
  );
}
