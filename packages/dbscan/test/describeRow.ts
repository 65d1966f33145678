import type {Backend, VariantOptionValues} from '@epsball/clustering/catalogue';
import type {DbscanCase} from '@epsball/conformance';
import {
  describeDbscan,
  describeDbscanCases,
  describeDbscanProperties,
  type DbscanSubject,
  type SomeCases,
} from '@epsball/conformance/suite';
import {SHARE, SHORT} from '@epsball/conformance/share';
import {findAdapter, openGpu, type Gpu} from '@epsball/gpu';
import {HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import type {CatalogueRow} from '../src/catalogueRow.ts';

/** A row with options or threads other than its defaults, on a part of the cases. */
export interface Variation extends SomeCases {
  readonly backend: Backend;
  readonly options?: VariantOptionValues;
  readonly threads?: number;
  /** The device: with all limits of the adapter, or with those that every device has. Default: all. */
  readonly limits?: DeviceLimits;
  /** Maximum dimensions with these options. Default: those of the row. */
  readonly maxDim?: number;
  /** Metrics with these options. Default: those of the row. */
  readonly metrics?: DbscanSubject['metrics'];
}

/**
 * Fraction of the cases with a slow compiler. Then the GPU takes a sample of the cases, one precision in each
 * dimension, the first options of a variant, and default limits of the default variant only; random sets are left out.
 * Below the share of `pnpm test` it takes no options. The processors' backends take cases of all families all the same.
 */
const SAMPLE = 0.01;

/** `default`: as `requestDevice()` gives it, for one, without features and with eight storage buffers a kernel. */
type DeviceLimits = 'all' | 'default';

/**
 * Tests one row of the catalogue against the contract, on all its backends and with the given variations. Each row has
 * a test file, `conformance.<id>.test.ts`. All tests of a file share a device.
 *
 * Without an adapter the tests on a GPU are skipped, or fail with `REQUIRE_GPU=1`. `EPSBALL_ADAPTER` chooses the
 * adapter.
 *
 * @param id  a catalogue id
 */
export function describeRow(id: string, variations: readonly Variation[] = []): void {
  const row = catalogue.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`no row ${id} in the catalogue; rename or delete its conformance test`);
  const devices = {all: new SharedDevice('all'), default: new SharedDevice('default')};
  for (const backend of row.backends) {
    const subject = subjectOf(row, {backend}, devices.all);
    describeDbscan(subject);
    if (!subject.isBrief) describeDbscanProperties(subject);
  }
  const first = variations.findIndex(({backend}) => backend === 'gpu');
  for (const [k, variation] of variations.entries()) {
    const isWanted = variation.limits === 'default' ? id === 'dense-grid' : k === first && SHARE >= SHORT;
    const isLeftOut = HAS_SLOW_COMPILER && variation.backend === 'gpu' && !isWanted;
    describe.skipIf(isLeftOut)('variation', () => {
      describeDbscanCases(subjectOf(row, variation, devices[variation.limits ?? 'all']), variation);
    });
  }
  if (!row.backends.includes('gpu')) return;

  describe(`${row.id}/gpu`, () => {
    it.runIf(process.env['REQUIRE_GPU'] === '1')('ran', () => {
      expect(devices.all.uses).toBeGreaterThan(0);
    });
  });

  afterAll(() => Promise.all([devices.all.close(), devices.default.close()]));
}

function subjectOf(
  row: CatalogueRow,
  {
    backend,
    options = {},
    threads,
    limits,
    maxDim = row.on[backend]?.maxDim ?? 0,
    metrics = row.on[backend]?.metrics,
  }: Variation,
  device: SharedDevice,
): DbscanSubject {
  const words = [
    `${row.id}/${backend}`,
    ...(threads === undefined ? [] : [`×${threads}`]),
    ...(limits === undefined ? [] : [`${limits} limits`]),
    ...Object.entries(options).map(([name, value]) => `${name}=${value}`),
  ];
  return {
    id: words.join(' '),
    maxDim,
    metrics,
    weights: row.on[backend]?.weights,
    ...(HAS_SLOW_COMPILER && backend === 'gpu' ? {isBrief: true, share: SAMPLE, takes: fewKernelsOf(row.id)} : {}),
    create: async () => {
      if (backend !== 'gpu') return row.create({backend, threads, options});
      const algorithm = await row.create({backend, gpu: await device.open(), threads, options});
      device.uses++;
      return algorithm;
    },
  };
}

/**
 * Cases of one precision in each dimension, by turns, and the other precision with the next variant; those in the plane
 * and, by turns, in every fourth dimension. `dense-grid` and `gdbscan` take all dimensions.
 */
function fewKernelsOf(id: string): (testCase: DbscanCase) => boolean {
  const turn = catalogue.findIndex((row) => row.id === id);
  const takesAll = id === 'dense-grid' || id === 'gdbscan';
  return (testCase) => {
    const isDouble = testCase.points().coords instanceof Float64Array;
    const isTaken = takesAll || testCase.dim === 2 || (testCase.dim + turn) % 4 === 0;
    return isTaken && (testCase.dim + turn + Number(isDouble)) % 2 === 0;
  };
}

/** One device for all tests of a file, opened on first use. */
class SharedDevice {
  /** Number of algorithms created on it. */
  uses = 0;
  readonly #limits: DeviceLimits;
  #opening: Promise<Gpu> | undefined;
  #device: GPUDevice | undefined;

  constructor(limits: DeviceLimits) {
    this.#limits = limits;
  }

  open(): Promise<Gpu> {
    return (this.#opening ??= this.#limits === 'all' ? openGpu({}) : this.#openDefault());
  }

  async #openDefault(): Promise<Gpu> {
    const {adapter} = await findAdapter();
    this.#device = await adapter.requestDevice();
    return openGpu({device: this.#device});
  }

  async close(): Promise<void> {
    // If it did not open, the tests have failed.
    const gpu = await this.#opening?.catch(() => undefined);
    gpu?.destroy();
    this.#device?.destroy();
  }
}
