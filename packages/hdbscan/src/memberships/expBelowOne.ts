/**
 * e^x for x ≤ 0 in float64 with fixed roundings, after fdlibm: within one unit in the last place. Engines round
 * `Math.exp` differently, and memberships would then depend on the engine.
 *
 * @source  Sun Microsystems 1993, fdlibm 5.3: e_exp.c
 */
export function expBelowOne(x: number): number {
  if (x < LEAST) return 0;
  const k = x > -0.5 * LN2_HIGH ? 0 : Math.trunc(x / LN2_HIGH - 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const t = r * r;
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))));
  if (k === 0) return 1 - ((r * c) / (c - 2) - r);
  return (1 - (low - (r * c) / (2 - c) - high)) * HALVES[-k];
}

const LEAST = -745.13321910194122211;
const LN2_HIGH = 6.9314718036912381649e-1; // the first 32 bits of ln 2
const LN2_LOW = 1.90821492927058770002e-10;
const P1 = 1.66666666666666019037e-1;
const P2 = -2.77777777770155933842e-3;
const P3 = 6.61375632143793436117e-5;
const P4 = -1.6533902205465251539e-6;
const P5 = 4.13813679705723846039e-8;

/** 2^−k, exact. */
const HALVES = halves(1075);

function halves(count: number): Float64Array {
  const powers = new Float64Array(count + 1).fill(1);
  for (let k = 1; k <= count; k++) powers[k] = powers[k - 1] / 2;
  return powers;
}
