/** The float64 `steps` representable values away from x > 0. */
export function nextAfter(x: number, steps: number): number {
  const value = Float64Array.of(x);
  new BigInt64Array(value.buffer)[0] += BigInt(steps);
  return value[0];
}
