import type {Progress} from '@epsball/clustering';
import {kneeOf} from '@epsball/dbscan/suggest';
import {proxy} from 'comlink';
import {computed, effect, signal, type Signal} from '@preact/signals';
import type {Environment, KDistances, LoadedData, RunOutcome, RunRequest} from '../compute/api.ts';
import {compute} from '../compute/client.ts';
import {messageOf} from '../format.ts';
import {link, metricOptions, setLink} from './linkState.ts';
import type {LinkState} from './link.ts';
import {FILE_PREFIX} from './sets.ts';

type Work<Value> =
  | {readonly state: 'none'}
  | {readonly state: 'running'; readonly before: Value | undefined}
  | {readonly state: 'done'; readonly value: Value}
  | {readonly state: 'failed'; readonly message: string; readonly before?: Value | undefined};

export const environment = signal<Environment | undefined>(undefined);
export const data = signal<Work<LoadedData>>({state: 'none'});
export const curve = signal<KDistances | undefined>(undefined);
export const run = signal<Work<RunOutcome>>({state: 'none'});

/** How far the run is that runs. */
export const progress = signal<Progress | undefined>(undefined);
void compute.listen(proxy((now) => (progress.value = now)));

/** The file that is open, to read other columns of it. */
let openedFile: File | undefined;

/** Points that are shown, also while others are loaded, and after others could not be loaded. */
export const shownData = computed(() => valueOf(data.value));

/** The last result. It belongs to the shown points if it has as many labels. */
export const shownRun = computed(() => {
  const outcome = valueOf(run.value);
  return outcome?.labels.length === shownData.value?.n ? outcome : undefined;
});

/** The value of finished work, or the one before work that runs or has failed. */
function valueOf<Value>(work: Work<Value>): Value | undefined {
  if (work.state === 'done') return work.value;
  return work.state === 'none' ? undefined : work.before;
}

void compute.environment().then((found) => (environment.value = found));

/** Reads points from a file of the reader. If it has none, what was shown stays. */
export async function openFile(file: File, columns?: readonly string[]): Promise<void> {
  if (!(await load(() => compute.load(file, columns)))) return;
  openedFile = file;
  loadedData = `${FILE_PREFIX}${file.name}`;
  const metric = shownData.value?.isMap
    ? 'haversine'
    : link.value.metric === 'haversine'
      ? 'euclidean'
      : link.value.metric;
  setLink({data: loadedData, metric});
  if (!hasCurve(link.value)) return;
  // The parameters of other points do not fit. The bend of the curve is a start.
  const {distances} = await compute.kDistances(link.value.minPts, metricOptions.value);
  const eps = Number((kneeOf(distances)?.at ?? distances[0] ?? 0).toPrecision(3));
  if (eps > 0) setLink({eps});
}

/** Whether the k-distance curve exists in the metric: the k-d tree has Euclidean distances. */
function hasCurve({metric}: LinkState): boolean {
  return metric !== 'manhattan' && metric !== 'chebyshev';
}

export async function openColumns(columns: readonly string[]): Promise<void> {
  if (openedFile && columns.length > 0) await openFile(openedFile, columns);
}

/** The data of the link that is loaded or being loaded. */
let loadedData: string | undefined;

/**
 * Shows work in a signal, and its result unless the signal shows something else by then. Never rejects.
 *
 * @returns  whether the signal shows the result
 */
async function show<Value>(
  work: Signal<Work<Value>>,
  before: Value | undefined,
  request: () => Promise<Value>,
): Promise<boolean> {
  const running = {state: 'running', before} as const;
  work.value = running;
  const end = await request().then(
    (value) => ({state: 'done', value}) as const,
    (error: unknown) => ({state: 'failed', message: messageOf(error), before}) as const,
  );
  if (work.value !== running) return false;
  work.value = end;
  return end.state === 'done';
}

function load(request: () => Promise<LoadedData>): Promise<boolean> {
  return show(data, shownData.peek(), request);
}

effect(() => {
  // Labels of other points would be shown otherwise.
  if (shownData.value) run.value = {state: 'none'};
});

effect(() => {
  const spec = link.value.data;
  if (spec === loadedData) return;
  const before = loadedData;
  loadedData = spec;
  void load(() => open(spec)).then((isShown) => {
    if (isShown || shownData.value === undefined || before === undefined || link.value.data !== spec) return;
    loadedData = before;
    setLink({data: before});
  });
});

async function open(spec: string): Promise<LoadedData> {
  if (!spec.startsWith(FILE_PREFIX)) return compute.generate(spec);
  const name = spec.slice(FILE_PREFIX.length);
  throw new Error(`${name} is a file of the sender of the link. Open your copy of it.`);
}

/** Milliseconds without a change before work starts. */
const SETTLE_MS = 150;
/** The curve comes after the clusters: the first one of a million points takes a second or two. */
const CURVE_MS = SETTLE_MS + 50;
/** The latest run, which never rejects. */
let latestRun: Promise<unknown> = Promise.resolve();
let curveTimer = 0;

effect(() => {
  const {minPts, view, method} = link.value;
  const metric = metricOptions.value;
  if (method !== 'dbscan' || !hasCurve(link.value)) {
    curve.value = undefined;
    return;
  }
  if (shownData.value === undefined || view !== 'explore') return;
  clearTimeout(curveTimer);
  const own = window.setTimeout(() => void readCurve(), CURVE_MS);
  curveTimer = own;
  const readCurve = async (): Promise<void> => {
    await latestRun;
    if (own !== curveTimer) return;
    const value = await compute.kDistances(minPts, metric);
    if (own === curveTimer) curve.value = value;
  };
});

/** What the link asks to run. */
function requestOf(): RunRequest {
  const {method, algorithm, backend, eps, minPts, minClusterSize, minSamples, selection, bandwidth} = link.value;
  const metric = metricOptions.value;
  if (method === 'hdbscan') return {method, backend, minClusterSize, minSamples, selection, metric};
  return method === 'dbscan' ? {method, algorithm, backend, eps, minPts, metric} : {method, backend, bandwidth};
}

let lastRequest: RunRequest | undefined;
let runTimer = 0;

effect(() => {
  const request = requestOf();
  const {view} = link.value;
  if (shownData.value === undefined || view !== 'explore') return;
  clearTimeout(runTimer);
  runTimer = window.setTimeout(
    () => {
      progress.value = undefined;
      latestRun = show(run, shownRun.peek(), () => compute.run(request));
    },
    isReselection(lastRequest, request) ? 0 : SETTLE_MS,
  );
  lastRequest = request;
});

/** Whether a request asks for other clusters of the same hierarchy: that takes milliseconds. */
function isReselection(before: RunRequest | undefined, request: RunRequest): boolean {
  if (before?.method !== 'hdbscan' || request.method !== 'hdbscan' || run.peek().state !== 'done') return false;
  const {minSamples, metric, backend} = request;
  return before.minSamples === minSamples && before.metric === metric && before.backend === backend;
}

export function stopRun(): void {
  void compute.cancel();
  run.value = {state: 'failed', message: 'Stopped.', before: shownRun.peek()};
}
