import type {AdapterChoice} from '@epsball/gpu/adapter-choice';
import {gpuPlaces, loadScaleOut} from '../scaleOut/gpuPlaces.ts';
import type {Runner} from './groups.ts';

/** Clusters on several GPUs of this host: tiles in a process for each. */
export async function createGpusRunner(
  count: number | 'all',
  {algorithm, adapter}: {readonly algorithm: string; readonly adapter: AdapterChoice},
): Promise<Runner> {
  const {clusterOnGpus} = await loadScaleOut('--gpus');
  const gpus = await gpuPlaces(count, adapter);
  return {
    run: async (points, {eps, minPts}, {signal, onProgress}) => {
      const startedAt = performance.now();
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
    warmUp: async () => undefined,
    destroy: () => undefined,
  };
}
