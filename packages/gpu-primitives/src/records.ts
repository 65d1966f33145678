import {InvalidParameterError} from '@epsball/clustering';

/** @throws InvalidParameterError  if `stride` is not an integer ≥ 1 */
export function checkStride(stride: number): void {
  if (!Number.isInteger(stride) || stride < 1) throw new InvalidParameterError('stride', stride, 'an integer ≥ 1');
}

/** @throws InvalidParameterError  if `stride` is not an integer ≥ 1, or `field` is not a word of the record */
export function checkField(stride: number, field: number): void {
  checkStride(stride);
  if (!Number.isInteger(field) || field < 0 || field >= stride) {
    throw new InvalidParameterError('field', field, `an integer, 0 … stride − 1 = ${stride - 1}`);
  }
}
