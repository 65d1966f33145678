import {InvalidParameterError} from '@epsball/clustering';
import type {UniformGridOptions} from '@epsball/spatial-grid';

/** Index that finds neighbours. */
export type IndexChoice = 'auto' | 'grid' | 'none';

/** @throws InvalidParameterError  if `index` is not one of them */
export function checkIndex(index: IndexChoice = 'auto'): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid' or 'none'");
  }
}

/** Cells of the grid, as for `buildUniformGrid`. */
export type CellChoice = NonNullable<UniformGridOptions['cells']>;

/** Name of a variant with its index, in messages. */
export function variantName(name: string, index: IndexChoice): string {
  return index === 'auto' ? name : `${name} with index ${index}`;
}
