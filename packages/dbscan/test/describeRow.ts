import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {openGpu, type Gpu} from '@epsball/gpu';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue, type Backend, type CatalogueRow} from '../src/catalogue.ts';

/**
 * Holds one row of the catalogue to the contract, on every backend that it has. Each row has a test file of its own,
 * `conformance.<id>.test.ts`, so that a variant can be tested alone.
 *
 * Where there is no adapter the tests on a GPU are reported as skipped, and fail with `REQUIRE_GPU=1`.
 * `EPSBALL_ADAPTER` chooses the adapter.
 *
 * @param id  a catalogue id
 */
export function describeRow(id: string): void {
  const row = catalogue.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`no row ${id} in the catalogue; rename or delete its conformance test`);
  for (const backend of row.backends) {
    if (backend === 'gpu') describeOnGpu(row);
    else describeBackend(row, backend, () => row.create({backend}));
  }
}

function describeOnGpu(row: CatalogueRow): void {
  // One device for all tests of the row.
  let opening: Promise<Gpu> | undefined;
  let instances = 0;

  describeBackend(row, 'gpu', async () => {
    opening ??= openGpu({});
    const algorithm = await row.create({backend: 'gpu', gpu: await opening});
    instances++;
    return algorithm;
  });

  describe(`${row.id}/gpu`, () => {
    it.runIf(process.env['REQUIRE_GPU'] === '1')('ran', () => {
      expect(instances).toBeGreaterThan(0);
    });
  });

  afterAll(async () => {
    // Where it did not open, the tests have said so.
    const gpu = await opening?.catch(() => undefined);
    gpu?.destroy();
  });
}

function describeBackend(row: CatalogueRow, backend: Backend, create: () => ReturnType<CatalogueRow['create']>): void {
  const subject = {id: `${row.id}/${backend}`, maxDim: row.maxDims[backend] ?? 0, create};
  describeDbscan(subject);
  describeDbscanProperties(subject);
}
