import {InvalidParameterError} from '@epsball/clustering';

/** What finds neighbours. */
export type IndexChoice = 'auto' | 'grid' | 'none';

/** @throws InvalidParameterError  if there is no such index */
export function checkIndex(index: IndexChoice = 'auto'): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid' or 'none'");
  }
}
