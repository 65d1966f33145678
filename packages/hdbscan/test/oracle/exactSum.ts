/** The unit of all float64 numbers is 2^-1074. */
const UNIT_BITS = 1074;

/** The sum of finite numbers ≥ 0 in integers of arbitrary length, rounded once to float64, ties to even. */
export function exactSum(terms: readonly number[]): number {
  const sum = terms.reduce((total, term) => total + inUnits(term), 0n);
  const surplus = Math.max(0, sum.toString(2).length - 53);
  let kept = sum >> BigInt(surplus);
  // Twice the rest, beside the unit of what is kept.
  const rest = 2n * (sum - (kept << BigInt(surplus)));
  const unit = 1n << BigInt(surplus);
  if (rest > unit || (rest === unit && kept % 2n === 1n)) kept++;
  return Number(kept) * 2 ** (surplus - UNIT_BITS);
}

function inUnits(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const biased = Number(bits.getBigUint64(0) >> 52n);
  const fraction = bits.getBigUint64(0) & (2n ** 52n - 1n);
  return biased === 0 ? fraction : (fraction + 2n ** 52n) << BigInt(biased - 1);
}
