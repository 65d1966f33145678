import {InvalidParameterError} from '@epsball/clustering';

/** Index that finds neighbours. */
export type IndexChoice = 'auto' | 'grid' | 'none';

/** @throws InvalidParameterError  if `index` is not one of them */
export function checkIndex(index: IndexChoice = 'auto'): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid' or 'none'");
  }
}
