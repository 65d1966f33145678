import {createHash} from 'node:crypto';
import type {DbscanResult} from '@epsball/clustering';

/** First 16 hex digits of the SHA-256 over labels and core mask. */
export function hashResult({labels, coreMask}: Pick<DbscanResult, 'labels' | 'coreMask'>): string {
  return createHash('sha256').update(labels).update(coreMask).digest('hex').slice(0, 16);
}
