import {DestroyedError} from './errors.ts';

/** An algorithm as its owner holds it. */
interface Destroyable<Args extends readonly unknown[], Result> {
  run(...args: Args): Promise<Result>;
  destroy(): void;
  [Symbol.dispose](): void;
}

/**
 * An algorithm whose runs are a function, until it is destroyed.
 *
 * @param name     of the algorithm, in `DestroyedError`
 * @param release  frees what it holds; called once
 */
export function untilDestroyed<Args extends readonly unknown[], Result>(
  name: string,
  run: (...args: Args) => Promise<Result>,
  release: () => void = () => {},
): Destroyable<Args, Result> {
  let isDestroyed = false;
  const destroy = (): void => {
    if (!isDestroyed) release();
    isDestroyed = true;
  };
  return {
    run: async (...args) => {
      if (isDestroyed) throw new DestroyedError(name);
      return run(...args);
    },
    destroy,
    [Symbol.dispose]: destroy,
  };
}
