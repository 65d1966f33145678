/** How words are combined. */
export type Operator = 'sum' | 'min' | 'max';
/** How words are read. */
export type Element = 'u32' | 'i32' | 'f32';

const OPERATORS: Readonly<Record<Operator, number>> = {sum: 0, min: 1, max: 2};
const ELEMENTS: Readonly<Record<Element, number>> = {u32: 0, i32: 1, f32: 2};

/** The pipeline constants of `operators.wgsl`. */
export function operatorOverrides(operator: Operator, element: Element): {OPERATOR: number; ELEMENT: number} {
  return {OPERATOR: OPERATORS[operator], ELEMENT: ELEMENTS[element]};
}
