import type {Backend} from './variantRow.ts';

/** A better choice that could not run. */
export interface Fallback {
  /** The catalogue id of the variant. */
  readonly algorithm: string;
  readonly backend: Backend;
  /** Why, and what to install or change. */
  readonly reason: string;
}

/** Adds the choices that could not run, if there are any. */
export function withFallback<Result extends object>(result: Result, fallback: readonly Fallback[]): Result {
  return fallback.length === 0 ? result : {...result, fallback};
}
