// Loaded by a page of Chromium: the variants of the catalogue, for the tests to call. Whether a result is right is
// judged in Node (`pageVariant.ts`).
import type {DbscanAlgorithm, DbscanParams, PointSet} from '@epsball/clustering';
import type {Backend} from '@epsball/clustering/catalogue';
import {openGpu, type Gpu} from '@epsball/gpu';
import {catalogue} from '../../src/catalogue.ts';

/** What a page returns of a run. */
export interface PageResult {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
  readonly clusterCount: number;
  /** The coordinates after the run. */
  readonly coords: PointSet['coords'];
}

/** What a page can be asked for, as a global. */
export interface PageVariants {
  /** Creates a variant and returns its number. On a GPU all variants share a device. */
  create(id: string, backend: Backend, threads?: number): Promise<number>;
  run(variant: number, points: PointSet, params: DbscanParams): Promise<PageResult>;
  destroy(variant: number): void;
  /** The adapter in use: vendor, architecture and description. */
  adapter(): Promise<string>;
}

const algorithms: DbscanAlgorithm[] = [];
let opening: Promise<Gpu> | undefined;

function open(): Promise<Gpu> {
  return (opening ??= openGpu());
}

const variants: PageVariants = {
  create: async (id, backend, threads) => {
    const row = catalogue.find((candidate) => candidate.id === id);
    if (row === undefined) throw new Error(`no row ${id} in the catalogue`);
    const algorithm = await row.create({backend, threads, ...(backend === 'gpu' ? {gpu: await open()} : {})});
    return algorithms.push(algorithm) - 1;
  },
  run: async (variant, points, params) => {
    const {labels, coreMask, clusterCount} = await algorithms[variant].run(points, params);
    return {labels, coreMask, clusterCount, coords: points.coords};
  },
  destroy: (variant) => algorithms[variant].destroy(),
  adapter: async () => {
    const {vendor, architecture, description} = (await open()).info;
    return [vendor, architecture, description].join(' ').trim();
  },
};

Object.assign(globalThis, {variants});
