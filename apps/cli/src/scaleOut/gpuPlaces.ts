import {ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import type * as scaleOut from '@epsball/scale-out';
import {forcedAdapter} from '../adapterForced.ts';
import {loadOptional} from '../installLine.ts';

/** The library of `--gpus` and of the command `scale`. */
export function loadScaleOut(what: string): Promise<typeof scaleOut> {
  // The clients of S3 and Redis are larger than everything else.
  return loadOptional(what, '@epsball/scale-out', () => import('@epsball/scale-out'));
}

/** The GPUs of `--gpus`. An explicit software adapter stands for any number of GPUs. */
export async function gpuPlaces(
  count: number | 'all',
  adapter: AdapterChoice = 'auto',
): Promise<readonly scaleOut.GpuPlace[]> {
  const forced = forcedAdapter(adapter);
  const env = forced === null ? {} : {[ADAPTER_VARIABLE]: forced.choice};
  if (forced !== null && forced.choice !== 'hardware') {
    return Array.from({length: count === 'all' ? 1 : count}, () => ({env}));
  }
  const {hostGpus} = await loadScaleOut('--gpus');
  return (await hostGpus(count)).map((place) => ({...place, env}));
}
