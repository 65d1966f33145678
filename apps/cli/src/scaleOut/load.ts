import {loadOptional} from '../installLine.ts';

import type * as scaleOut from '@epsball/scale-out';
import type * as bullmq from '@epsball/scale-out/bullmq';

const PACKAGE = '@epsball/scale-out';

export type {RunSummary} from '@epsball/scale-out/bullmq';

/** What `--work` needs. Loaded on demand: the clients of S3 and Redis are larger than everything else. */
export function loadScaleOut(): Promise<typeof scaleOut> {
  return loadOptional('--work', PACKAGE, () => import('@epsball/scale-out'));
}

/** What `--scale-out`, `worker` and `runs` need. */
export function loadBullmq(): Promise<typeof bullmq> {
  return loadOptional('--scale-out', PACKAGE, () => import('@epsball/scale-out/bullmq'));
}
