import {FailureError} from '../errors.ts';

import type * as scaleOut from '@epsball/scale-out';
import type * as bullmq from '@epsball/scale-out/bullmq';

export type {RunSummary} from '@epsball/scale-out/bullmq';

/** What `--work` needs. Loaded on demand: DuckDB alone is larger than everything else. */
export function loadScaleOut(): Promise<typeof scaleOut> {
  return import('@epsball/scale-out').catch(explainMissing);
}

/** What `--scale-out`, `worker` and `runs` need. */
export function loadBullmq(): Promise<typeof bullmq> {
  return import('@epsball/scale-out/bullmq').catch(explainMissing);
}

function explainMissing(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
  if (!isMissing) throw error;
  throw new FailureError('@epsball/scale-out is not installed; install it: npm install @epsball/scale-out', {
    cause: error,
  });
}
