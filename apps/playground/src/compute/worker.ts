import {expose, transfer} from 'comlink';
import {metricPoints, validatePoints, type MetricOptions, type NamedPoints} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {createDbscan, type Dbscan, type DbscanOutcome} from '@epsball/dbscan';
import {openGpu, type Gpu} from '@epsball/gpu';
import {buildKdTree, type KdTree} from '@epsball/kd-tree';
import {readPointsFile, type FilePoints} from '../files/readPointsFile.ts';
import type {Environment, KDistances, LoadedData, RunOutcome, RunRequest} from './api.ts';
import {kDistancesOf} from './kDistances.ts';
import {viewCoords} from './viewCoords.ts';

/** The compute thread: keeps the points, so that clustering never blocks the page. */
export class Compute {
  #points: NamedPoints = {coords: new Float32Array(0), dim: 2};
  /** Of the points in the space of a metric, made for their first curve. */
  #tree: {readonly metric: string | undefined; readonly tree: KdTree} | undefined;
  #gpu: Promise<Gpu> | undefined;
  /** Variants that have run, by algorithm and backend, with their devices and pipelines. */
  readonly #ready = new Map<string, Dbscan>();
  #abort = new AbortController();

  async environment(): Promise<Environment> {
    return {
      gpu: await this.#openGpu().then(describeGpu, (error: unknown) => ({
        isAvailable: false,
        isSoftware: false,
        text: error instanceof Error ? error.message : String(error),
      })),
      hasSharedMemory: self.crossOriginIsolated,
      threads: navigator.hardwareConcurrency,
    };
  }

  /** @throws InvalidParameterError  if the spec is malformed */
  async generate(spec: string): Promise<LoadedData> {
    return this.#keep({...generateDataset(spec), columns: [], available: []});
  }

  async load(file: File, columns?: readonly string[]): Promise<LoadedData> {
    const points = await readPointsFile(file, columns);
    validatePoints(points);
    return this.#keep(points);
  }

  async kDistances(k: number, metric: MetricOptions): Promise<KDistances> {
    if (this.#tree === undefined || this.#tree.metric !== metric.metric) {
      this.#tree = {metric: metric.metric, tree: buildKdTree(metricPoints(this.#points, metric))};
    }
    return kDistancesOf(this.#tree.tree, k, metric);
  }

  async run({algorithm, backend, eps, minPts, metric}: RunRequest): Promise<RunOutcome> {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const key = `${algorithm}/${backend}`;
    const variant = this.#ready.get(key) ?? (await this.#create(algorithm, backend));
    this.#ready.set(key, variant);
    const outcome = await variant.run(this.#points, {eps, minPts, ...metric}, {signal: abort.signal});
    const summary = summarize(outcome);
    const {buffer} = summary.labels;
    return transfer(summary, buffer instanceof ArrayBuffer ? [buffer] : []);
  }

  cancel(): void {
    this.#abort.abort();
  }

  async #create(algorithm: string, backend: RunRequest['backend']): Promise<Dbscan> {
    if (backend !== 'gpu') return createDbscan({algorithm, backend});
    return createDbscan({algorithm, backend, gpu: await this.#openGpu()});
  }

  /** The first adapter of the browser, software included: a reader who chooses `gpu` wants to see it run. */
  #openGpu(): Promise<Gpu> {
    this.#gpu ??= openGpu();
    return this.#gpu;
  }

  #keep({coords, dim, columns, available}: FilePoints): LoadedData {
    // A run of the points before has no reader any more.
    this.#abort.abort();
    this.#points = {coords, dim, columns};
    this.#tree = undefined;
    const precision = coords instanceof Float32Array ? 'float32' : 'float64';
    const view = viewCoords(this.#points);
    const data = {n: coords.length / dim, dim, precision, columns, available, ...view} as const;
    return transfer(data, [view.coords.buffer]);
  }
}

function describeGpu({info}: Gpu): Environment['gpu'] {
  const text = [info.vendor, info.architecture, info.description || info.device].filter(Boolean).join(' ');
  return {isAvailable: true, isSoftware: info.kind !== 'hardware', text: text || 'unnamed adapter'};
}

function summarize({coreMask, labels, ...outcome}: DbscanOutcome): RunOutcome {
  const noiseCount = labels.reduce((sum, label) => (label < 0 ? sum + 1 : sum), 0);
  const coreCount = coreMask.reduce((sum, flag) => sum + flag, 0);
  // Labels of worker threads are in shared memory, which cannot be transferred.
  const own = labels.buffer instanceof ArrayBuffer ? labels : labels.slice();
  return {...outcome, labels: own, noiseCount, coreCount};
}

expose(new Compute());
