import {describeDbscan, describeDbscanProperties} from '@epsball/conformance/suite';
import {openGpu, type Gpu} from '@epsball/gpu';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue, type Backend, type CatalogueRow} from '../src/catalogue.ts';

// One device for all GPU rows; EPSBALL_ADAPTER chooses the adapter.
let opening: Promise<Gpu> | undefined;
let gpuInstances = 0;

for (const row of catalogue) {
  for (const backend of row.backends) {
    const subject = {
      id: `${row.id}/${backend}`,
      maxDim: row.maxDim,
      create: () => createOn(row, backend),
    };
    // Where there is no adapter these report themselves as skipped, and as failed with REQUIRE_GPU=1.
    describeDbscan(subject);
    describeDbscanProperties(subject);
  }
}

describe('the GPU rows', () => {
  it.runIf(process.env['REQUIRE_GPU'] === '1')('ran', () => {
    expect(gpuInstances).toBeGreaterThan(0);
  });
});

afterAll(async () => {
  // Where it did not open, the tests have said so.
  const gpu = await opening?.catch(() => undefined);
  gpu?.destroy();
});

async function createOn(row: CatalogueRow, backend: Backend): ReturnType<CatalogueRow['create']> {
  if (backend !== 'gpu') return row.create({backend});
  opening ??= openGpu({});
  const algorithm = await row.create({backend, gpu: await opening});
  gpuInstances++;
  return algorithm;
}
