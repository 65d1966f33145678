import {describeDbscan, describeDbscanProperties} from '@epsball/conformance';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue, type Backend, type CatalogueRow} from '../src/catalogue.ts';
import {isGpu, openGpuOrExplain} from './testGpu.ts';

// Opened while tests are collected, because whether there is an adapter decides what is reported as skipped.
// EPSBALL_ADAPTER chooses which one.
const gpu = await openGpuOrExplain();
let gpuInstances = 0;

describe.for(catalogue.flatMap((row) => row.backends.map((backend) => ({row, backend}))))(
  '$row.id on $backend',
  ({row, backend}) => {
    if (backend === 'gpu' && !isGpu(gpu)) {
      it.skip(`passes conformance (${gpu})`, () => {});
      return;
    }
    const subject = subjectOf(row, backend);
    describeDbscan(subject);
    describeDbscanProperties(subject);
  },
);

describe('the GPU rows', () => {
  it.runIf(process.env['REQUIRE_GPU'] === '1')('ran, on an adapter that this machine has', () => {
    expect(isGpu(gpu) ? 'an adapter' : gpu).toBe('an adapter');
    expect(gpuInstances).toBeGreaterThan(0);
  });
});

afterAll(() => {
  if (isGpu(gpu)) gpu.destroy();
});

function subjectOf(row: CatalogueRow, backend: Backend): Parameters<typeof describeDbscan>[0] {
  return {
    id: `${row.id}/${backend}`,
    maxDim: row.maxDim,
    create: () => {
      if (backend !== 'gpu' || !isGpu(gpu)) return row.create({backend});
      gpuInstances++;
      return row.create({backend, gpu});
    },
  };
}
