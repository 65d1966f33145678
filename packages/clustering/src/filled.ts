/**
 * Fills an array, and returns it. `Float64Array.from` with a function makes a list of all elements first: it takes some
 * 30 times as long, and from 112 million elements on it ends the process.
 */
export function filled<Values extends {readonly length: number; [k: number]: number | bigint}>(
  values: Values,
  valueAt: (k: number) => Values[number],
): Values {
  for (let k = 0; k < values.length; k++) values[k] = valueAt(k);
  return values;
}

/** 0, 1, … to n − 1. */
export function indicesBelow(n: number): Int32Array {
  return filled(new Int32Array(n), (k) => k);
}
