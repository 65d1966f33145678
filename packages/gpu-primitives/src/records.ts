import {InvalidParameterError} from '@epsball/clustering';

/** @throws InvalidParameterError  if records cannot have so many words */
export function checkStride(stride: number): void {
  if (!Number.isInteger(stride) || stride < 1) throw new InvalidParameterError('stride', stride, 'an integer ≥ 1');
}

/** @throws InvalidParameterError  if records cannot have so many words, or have no such word */
export function checkField(stride: number, field: number): void {
  checkStride(stride);
  if (!Number.isInteger(field) || field < 0 || field >= stride) {
    throw new InvalidParameterError('field', field, `an integer, 0 … stride − 1 = ${stride - 1}`);
  }
}
