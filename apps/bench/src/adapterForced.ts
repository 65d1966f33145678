import {ADAPTER_CHOICES, ADAPTER_VARIABLE, type AdapterChoice} from '@epsball/gpu';
import {UsageError} from './errors.ts';

/** Who named a kind of adapter, and which. */
export interface ForcedAdapter {
  /** `--adapter` or `EPSBALL_ADAPTER`. */
  readonly by: string;
  readonly choice: Exclude<AdapterChoice, 'auto'>;
}

/**
 * The kind of adapter that a flag or the environment asks for; null where any will do. The flag comes first.
 *
 * @throws UsageError  if the environment variable names no kind of adapter
 */
export function forcedAdapter(flag: AdapterChoice): ForcedAdapter | null {
  if (flag !== 'auto') return {by: '--adapter', choice: flag};
  const named = process.env[ADAPTER_VARIABLE];
  if (named === undefined || named === '') return null;
  const choice = ADAPTER_CHOICES.find((known) => known === named);
  if (choice === undefined) throw new UsageError(ADAPTER_VARIABLE, named, `one of ${ADAPTER_CHOICES.join(', ')}`);
  return choice === 'auto' ? null : {by: ADAPTER_VARIABLE, choice};
}
