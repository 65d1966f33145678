import type {PointSet} from '@epsball/clustering';
import {generateDataset} from '@epsball/datasets';
import {openGpu, type Gpu} from '@epsball/gpu';
import {createMeanShift, createShiftSequential, type MeanShiftStats} from '@epsball/mean-shift';
import type {CellJob} from '../run/job.ts';
import {describeRuns, repeatRuns, type Measured} from './measureCell.ts';
import {verifyEnds, verifyShifted, type Verified} from './verifyShift.ts';

/** Points of the run that loads code, pipelines and drivers before anything is measured. */
const LOADING_RUN_POINTS = 200;

/** A run, what it found, and how its result is verified. */
interface Outcome {
  readonly stats: MeanShiftStats;
  readonly iterations: number;
  readonly clusters: number | null;
  readonly verify: () => Promise<Verified>;
}

/** One way to shift points, ready to run. */
interface Method {
  run(points: PointSet): Promise<Outcome>;
  destroy(): void;
}

/**
 * Makes the data, runs, compares a sample with the reference, and only then gives times.
 *
 * @throws Error  if the result is wrong
 */
export async function measureMeanShift(job: CellJob): Promise<Measured> {
  const points = generateDataset(job.workload.dataset);
  const gpu = job.subject.backend === 'gpu' ? await openGpu({adapter: job.adapter}) : undefined;
  try {
    const method = await (job.subject.row === 'shift' ? openShift(job, gpu) : openOurs(job, gpu));
    try {
      await method.run({coords: points.coords.subarray(0, LOADING_RUN_POINTS * points.dim), dim: points.dim});
      const first = await method.run(points);
      const {error, verified} = await first.verify();
      const runs = await repeatRuns(first.stats, job.profile, async () => (await method.run(points)).stats);
      const times = describeRuns(runs);
      const counters = {...times.counters, iterations: first.iterations, error};
      return {...times, counters, clusters: first.clusters, verified: [verified]};
    } finally {
      method.destroy();
    }
  } finally {
    gpu?.destroy();
  }
}

/** The document's versions: all iterations over all pairs. */
async function openShift({subject, workload}: CellJob, gpu: Gpu | undefined): Promise<Method> {
  const {bandwidth, iterations} = workload.params;
  const shift = await shiftOf(subject, gpu);
  return {
    run: async (points) => {
      const result = await shift.shift(points, {bandwidth, maxIterations: iterations});
      return {...result, clusters: null, verify: () => verifyShifted(points, result.shifted, {bandwidth, iterations})};
    },
    destroy: () => shift.destroy(),
  };
}

async function shiftOf({backend, threads = 1, options = {}}: CellJob['subject'], gpu: Gpu | undefined) {
  if (gpu !== undefined) {
    const {createShiftGpu} = await import('@epsball/mean-shift/gpu');
    return options['method'] === 'naive'
      ? createShiftGpu(gpu, {method: 'naive'})
      : createShiftGpu(gpu, {method: 'tiled', tileWidth: Number(options['tileWidth'])});
  }
  if (backend === 'workers') return (await import('@epsball/mean-shift/workers')).createShiftWorkers({threads});
  return createShiftSequential();
}

/** Ours, from points to labels. On a GPU positions stay there; a second run reads them back to be verified. */
async function openOurs({subject, workload}: CellJob, gpu: Gpu | undefined): Promise<Method> {
  const {bandwidth, cut, lattice} = workload.params;
  const params = {bandwidth, cut};
  const meanShift = await createMeanShift(
    gpu === undefined
      ? {backend: subject.backend === 'workers' ? 'workers' : 'sequential'}
      : {gpu, algorithm: 'lattice', options: {nodes: lattice}},
  );
  const ends = async (points: PointSet, labels: Int32Array): Promise<Verified> => {
    const result = await meanShift.run(points, params);
    const differing = result.labels.findIndex((label, i) => label !== labels[i]);
    if (differing >= 0) throw new Error(`point ${differing} has another label where positions are read back`);
    return verifyEnds(points, result.shifted, {bandwidth});
  };
  return {
    run: async (points) => {
      const result = await (gpu === undefined ? meanShift.run(points, params) : meanShift.label(points, params));
      const clusters = result.clusterCenters.length / points.dim;
      return {...result, clusters, verify: () => ends(points, result.labels)};
    },
    destroy: () => meanShift.destroy(),
  };
}
