import {InvalidParameterError} from '@epsball/clustering';

/** How words are combined. */
export type Operator = 'sum' | 'min' | 'max';
/** Type of a word. */
export type Element = 'u32' | 'i32' | 'f32';

/** The typed array of each element type. */
export interface ElementArrays {
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
}

export const LIKE_MAX = "an object such as {operator: 'max'}";

const OPERATORS: Readonly<Record<Operator, number>> = {sum: 0, min: 1, max: 2};
const ELEMENTS: Readonly<Record<Element, number>> = {u32: 0, i32: 1, f32: 2};

export function operatorOverrides(operator: Operator, element: Element): {OPERATOR: number; ELEMENT: number} {
  return {OPERATOR: numberOf('operator', operator, OPERATORS), ELEMENT: elementNumber(element)};
}

export function elementNumber(element: Element): number {
  return numberOf('element', element, ELEMENTS);
}

/** @throws InvalidParameterError  if the option does not have this value */
export function numberOf<V extends string>(name: string, value: V, numbers: Readonly<Record<V, number>>): number {
  if (!Object.hasOwn(numbers, value)) {
    throw new InvalidParameterError(name, value, `one of ${Object.keys(numbers).join(', ')}`);
  }
  return numbers[value];
}

export function elementArray<E extends Element>(element: E, length: number): ElementArrays[E] {
  return arrayOf(element, new ArrayBuffer(4 * length));
}

export function arrayOf<E extends Element>(element: E, buffer: ArrayBuffer): ElementArrays[E];
export function arrayOf(element: Element, buffer: ArrayBuffer): ElementArrays[Element] {
  if (element === 'u32') return new Uint32Array(buffer);
  return element === 'i32' ? new Int32Array(buffer) : new Float32Array(buffer);
}
