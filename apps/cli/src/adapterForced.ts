import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu/adapter-choice';
import {UsageError} from './errors.ts';

/** A kind of adapter that the user named. */
export interface ForcedAdapter {
  /** The place of the name: `--adapter` or `EPSBALL_ADAPTER`. */
  readonly by: string;
  readonly choice: Exclude<AdapterChoice, 'auto'>;
}

/**
 * The kind of adapter that the flag or, without one, the environment names. Null if neither names one.
 *
 * @throws UsageError  if the environment variable is not a kind of adapter
 */
export function forcedAdapter(flag: AdapterChoice): ForcedAdapter | null {
  if (flag !== 'auto') return {by: '--adapter', choice: flag};
  const named = process.env[ADAPTER_VARIABLE];
  if (named === undefined || named === '') return null;
  const choice = ADAPTER_CHOICES.find((known) => known === named);
  if (choice === undefined) throw new UsageError(ADAPTER_VARIABLE, named, `one of ${ADAPTER_CHOICES.join(', ')}`);
  return choice === 'auto' ? null : {by: ADAPTER_VARIABLE, choice};
}
