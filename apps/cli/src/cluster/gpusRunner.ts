import {GpuDeviceLostError, GpuLimitError} from '@epsball/clustering';
import {createDbscan} from '@epsball/dbscan';
import type {AdapterChoice} from '@epsball/gpu/adapter-choice';
import {gpuPlaces, loadScaleOut} from '../scaleOut/gpuPlaces.ts';
import type {Runner} from './groups.ts';

/** Clusters on GPUs of this host: tiles in a process for each. One GPU clusters all points at once, if it can. */
export async function createGpusRunner(
  count: number | 'all',
  {algorithm, adapter}: {readonly algorithm: string; readonly adapter: AdapterChoice},
): Promise<Runner> {
  const {clusterOnGpus} = await loadScaleOut('--gpus');
  const gpus = await gpuPlaces(count, adapter);
  const choice = {algorithm, backend: 'gpu', adapter, oneShot: true} as const;
  let whole = gpus.length === 1 ? await createDbscan(choice) : undefined;
  return {
    run: async (points, request, options) => {
      const startedAt = performance.now();
      try {
        if (whole !== undefined) return await whole.run(points, request, options);
      } catch (error) {
        // A tile is smaller, for the memory of the device and for the time that a driver allows.
        if (!(error instanceof GpuLimitError || error instanceof GpuDeviceLostError)) throw error;
        whole?.destroy();
        whole = undefined;
      }
      const {eps, minPts} = request;
      const {signal, onProgress} = options;
      const phaseMs: Record<string, number> = {};
      const {tileCount, ...result} = await clusterOnGpus(points, {
        eps,
        minPts,
        gpus,
        algorithm,
        signal: signal ?? undefined,
        onProgress: ({stage, done, total}) => onProgress?.({phase: stage, done, total}),
        onStage: ({stage, wallMs}) => void (phaseMs[stage] = (phaseMs[stage] ?? 0) + wallMs),
      });
      const counters = {gpus: gpus.length, tiles: tileCount};
      const stats = {wallMs: performance.now() - startedAt, phaseMs, counters};
      return {...result, stats, algorithm, backend: 'gpu', options: {}};
    },
    warmUp: async (n, dim) => whole?.warmUp(n, dim),
    destroy: () => whole?.destroy(),
  };
}
