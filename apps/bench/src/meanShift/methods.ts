import {isOurs} from '@epsball/benchmarks';
import type {PointSet} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import {createMeanShift, createShiftSequential, type MeanShiftResult, type MeanShiftStats} from '@epsball/mean-shift';
import type {MeanShiftJob} from './job.ts';

/** Result of a timed run. */
export interface Outcome {
  /** Empty where a run leaves positions on the device. */
  readonly shifted: Float64Array;
  readonly iterations: number;
  readonly stats: MeanShiftStats;
  readonly clusters: number | null;
  readonly labels: Int32Array | null;
}

/** One way to shift points, ready to run. */
export interface Method {
  run(points: PointSet): Promise<Outcome>;
  /**
   * Ends of the trajectories of a run. If the timed run does not read them back, another run does.
   *
   * @throws Error  if that run gives other labels
   */
  ends(points: PointSet, outcome: Outcome): Promise<Float64Array>;
  destroy(): void;
}

/** Opens what a cell measures. */
export async function openMethod(job: MeanShiftJob, gpu: Gpu | undefined): Promise<Method> {
  if (isOurs(job.method)) return gpu === undefined ? openOurs(job) : openOursOnGpu(job, gpu);
  const {bandwidth, iterations: maxIterations} = job.suite;
  const shift = await openShift(job, gpu);
  return {
    run: async (points) => ({...(await shift.shift(points, {bandwidth, maxIterations})), clusters: null, labels: null}),
    ends: async (_, {shifted}) => shifted,
    destroy: () => shift.destroy(),
  };
}

async function openOurs({method, suite}: MeanShiftJob): Promise<Method> {
  const {bandwidth, cut} = suite.ours;
  const meanShift = await createMeanShift({backend: method === 'ours-workers' ? 'workers' : 'sequential'});
  return {
    run: async (points) => {
      const result = await meanShift.run(points, {bandwidth, cut});
      return {...result, clusters: clustersOf(result, points)};
    },
    ends: async (_, {shifted}) => shifted,
    destroy: () => meanShift.destroy(),
  };
}

/** From points to labels; positions stay on the device. */
async function openOursOnGpu({suite}: MeanShiftJob, gpu: Gpu): Promise<Method> {
  const {bandwidth, cut, lattice} = suite.ours;
  const meanShift = await createMeanShift({gpu, algorithm: 'lattice', options: {nodes: lattice}});
  return {
    run: async (points) => {
      const result = await meanShift.label(points, {bandwidth, cut});
      return {...result, shifted: new Float64Array(0), clusters: clustersOf(result, points)};
    },
    ends: async (points, {labels}) => {
      const result = await meanShift.run(points, {bandwidth, cut});
      const differing = result.labels.findIndex((label, i) => label !== labels?.[i]);
      if (differing >= 0) throw new Error(`point ${differing} has another label where positions are read back`);
      return result.shifted;
    },
    destroy: () => meanShift.destroy(),
  };
}

function clustersOf({clusterCenters}: Pick<MeanShiftResult, 'clusterCenters'>, {dim}: PointSet): number {
  return clusterCenters.length / dim;
}

async function openShift({method, threads, tileWidth}: MeanShiftJob, gpu: Gpu | undefined) {
  if (gpu !== undefined) {
    const {createShiftGpu} = await import('@epsball/mean-shift/gpu');
    return method === 'naive'
      ? createShiftGpu(gpu, {method})
      : createShiftGpu(gpu, {method: 'tiled', tileWidth: tileWidth ?? undefined});
  }
  if (method === 'workers') return (await import('@epsball/mean-shift/workers')).createShiftWorkers({threads});
  return createShiftSequential();
}
