import type {Backend, VariantOptionValues} from '@epsball/clustering/catalogue';
import {
  describeDbscan,
  describeDbscanCases,
  describeDbscanProperties,
  type DbscanSubject,
  type SomeCases,
} from '@epsball/conformance/suite';
import {openGpu, type Gpu} from '@epsball/gpu';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import type {CatalogueRow} from '../src/catalogueRow.ts';

/** A row with options or threads other than its defaults, on a part of the cases. */
export interface Variation extends SomeCases {
  readonly backend: Backend;
  readonly options?: VariantOptionValues;
  readonly threads?: number;
  /** Maximum dimensions with these options. Default: those of the row. */
  readonly maxDim?: number;
}

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
  const device = new SharedDevice();
  for (const backend of row.backends) {
    const subject = subjectOf(row, {backend}, device);
    describeDbscan(subject);
    describeDbscanProperties(subject);
  }
  for (const variation of variations) describeDbscanCases(subjectOf(row, variation, device), variation);
  if (!row.backends.includes('gpu')) return;

  describe(`${row.id}/gpu`, () => {
    it.runIf(process.env['REQUIRE_GPU'] === '1')('ran', () => {
      expect(device.uses).toBeGreaterThan(0);
    });
  });

  afterAll(() => device.close());
}

function subjectOf(
  row: CatalogueRow,
  {backend, options = {}, threads, maxDim = row.maxDims[backend] ?? 0}: Variation,
  device: SharedDevice,
): DbscanSubject {
  const words = [
    `${row.id}/${backend}`,
    ...(threads === undefined ? [] : [`×${threads}`]),
    ...Object.entries(options).map(([name, value]) => `${name}=${value}`),
  ];
  return {
    id: words.join(' '),
    maxDim,
    create: async () => {
      if (backend !== 'gpu') return row.create({backend, threads, options});
      const algorithm = await row.create({backend, gpu: await device.open(), threads, options});
      device.uses++;
      return algorithm;
    },
  };
}

/** One device for all tests of a file, opened on first use. */
class SharedDevice {
  /** Number of algorithms created on it. */
  uses = 0;
  #opening: Promise<Gpu> | undefined;

  open(): Promise<Gpu> {
    return (this.#opening ??= openGpu({}));
  }

  async close(): Promise<void> {
    // If it did not open, the tests have failed.
    const gpu = await this.#opening?.catch(() => undefined);
    gpu?.destroy();
  }
}
