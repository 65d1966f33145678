import {expose, transfer} from 'comlink';
import {
  metricPoints,
  validatePoints,
  type MetricOptions,
  type NamedPoints,
  type ProgressListener,
} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {openGpu, type Gpu} from '@epsball/gpu';
import {buildKdTree, type KdTree} from '@epsball/kd-tree';
import {messageOf} from '../format.ts';
import {readPointsFile, type FilePoints} from '../files/readPointsFile.ts';
import {labelTable, type TableFormat} from '../out/labelTable.ts';
import type {Environment, KDistances, LoadedData, RunOutcome, RunRequest} from './api.ts';
import {kDistancesOf} from './kDistances.ts';
import {Methods} from './methods.ts';
import {viewCoords} from './viewCoords.ts';

/** The compute thread: keeps the points, so that clustering never blocks the page. */
export class Compute {
  #points: NamedPoints = {coords: new Float32Array(0), dim: 2};
  /** Of the points in the space of a metric, made for their first curve. */
  #tree: {readonly metric: string | undefined; readonly tree: KdTree} | undefined;
  #gpu: Promise<Gpu> | undefined;
  readonly #methods = new Methods(() => this.#openGpu());
  #report: ProgressListener = () => undefined;
  #abort = new AbortController();

  async environment(): Promise<Environment> {
    return {
      gpu: await this.#openGpu().then(describeGpu, (error: unknown) => ({
        isAvailable: false,
        isSoftware: false,
        text: messageOf(error),
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

  /** Calls `report` with the progress of all later runs. */
  listen(report: ProgressListener): void {
    this.#report = report;
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    this.#abort.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const options = {signal: abort.signal, onProgress: this.#report};
    const outcome = await this.#methods.run(this.#points, request, options);
    const {buffer} = outcome.labels;
    return transfer(outcome, buffer instanceof ArrayBuffer ? [buffer] : []);
  }

  /** The points with labels, as a file. */
  table(labels: Int32Array, format: TableFormat): Blob {
    return labelTable(this.#points, labels, format);
  }

  cancel(): void {
    this.#abort.abort();
  }

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

expose(new Compute());
