/**
 * Sine and cosine of |x| ≤ 2π + 1 in float64 with fixed roundings, after fdlibm: results equal those of V8's `Math.sin`
 * and `Math.cos`. Other engines may round these differently, and the labels would then depend on the engine.
 *
 * @source  Sun Microsystems 1993, fdlibm 5.3: s_sin.c, k_sin.c, k_cos.c, e_rem_pio2.c
 */

const HALF_PI_1 = 1.57079632673412561417; // the first 33 bits of π/2
const HALF_PI_1_TAIL = 6.0771005065061922e-11;
const HALF_PI_2 = 6.077100506303966e-11; // the next 33 bits
const HALF_PI_2_TAIL = 2.0222662487959506e-21;
const HALF_PI_3 = 2.0222662487111665e-21; // the next 33 bits
const HALF_PI_3_TAIL = 8.4784276603689e-32;
const TWO_OVER_PI = 0.6366197723675814;

/** By multiple n of π/2: floats with the upper 32 bits of n · π/2 lie in [low, high). There the difference cancels. */
const NEAR_MULTIPLE: readonly (readonly [low: number, high: number])[] = [
  [0, 0],
  ...[0x3ff921fb, 0x400921fb, 0x4012d97c, 0x401921fb].map(
    (high) => [floatOfUpper(high), floatOfUpper(high + 1)] as const,
  ),
];

/** Bounds of `kernelCos`, by upper 32 bits as in k_cos.c. */
const COS_PLAIN_BELOW = floatOfUpper(0x3fd33333);
const COS_QUARTER_BELOW = floatOfUpper(0x3fe90001);

/** |x| up to which no multiple of π/2 is subtracted, by upper 32 bits as in s_sin.c. */
const UNREDUCED_BELOW = floatOfUpper(0x3fe921fc);

/** Radians, |x| ≤ 2π + 1; `out` receives the sine and the cosine. */
export function sineCosine(x: number, out: {sin: number; cos: number}): void {
  const t = Math.abs(x);
  if (t < UNREDUCED_BELOW) {
    out.sin = kernelSin(x, 0);
    out.cos = kernelCos(x, 0);
    return;
  }
  const n = Math.floor(t * TWO_OVER_PI + 0.5);
  let r = t - n * HALF_PI_1;
  let w = n * HALF_PI_1_TAIL;
  let high = r - w;
  if (t >= NEAR_MULTIPLE[n][0] && t < NEAR_MULTIPLE[n][1]) {
    let previous = r;
    w = n * HALF_PI_2;
    r = previous - w;
    w = n * HALF_PI_2_TAIL - (previous - r - w);
    high = r - w;
    // 2^-49 of t is left: 151 bits of π/2 cover all cases. fdlibm has no third step for n = 1.
    if (n > 1 && Math.abs(high) < t * 2 ** -49) {
      previous = r;
      w = n * HALF_PI_3;
      r = previous - w;
      w = n * HALF_PI_3_TAIL - (previous - r - w);
      high = r - w;
    }
  }
  const low = r - high - w;
  const sin = kernelSin(high, low);
  const cos = kernelCos(high, low);
  const quadrant = n % 4;
  const sinOfT = quadrant === 0 ? sin : quadrant === 1 ? cos : quadrant === 2 ? -sin : -cos;
  out.sin = x < 0 ? -sinOfT : sinOfT;
  out.cos = quadrant === 0 ? cos : quadrant === 1 ? -sin : quadrant === 2 ? -cos : sin;
}

function kernelSin(x: number, y: number): number {
  if (Math.abs(x) < 2 ** -27) return x;
  const z = x * x;
  const v = z * x;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  if (y === 0) return x + v * (-1.66666666666666324348e-1 + z * r);
  return x - (z * (0.5 * y - v * r) - y - v * -1.66666666666666324348e-1);
}

function kernelCos(x: number, y: number): number {
  const t = Math.abs(x);
  if (t < 2 ** -27) return 1;
  const z = x * x;
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z * (-2.75573143513906633035e-7 + z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))));
  if (t < COS_PLAIN_BELOW) return 1 - (0.5 * z - (z * r - x * y));
  const quarter = t < COS_QUARTER_BELOW ? upperOf(t) / 4 : 0.28125;
  return 1 - quarter - (0.5 * z - quarter - (z * r - x * y));
}

/** The upper 32 bits of a float in [1/4, 1), the others 0. */
function upperOf(t: number): number {
  const scale = t < 0.5 ? 2 ** 22 : 2 ** 21;
  return Math.floor(t * scale) / scale;
}

/** The float with these upper 32 bits and lower bits 0. */
function floatOfUpper(upper: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, upper);
  return view.getFloat64(0);
}
