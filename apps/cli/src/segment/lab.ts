// CIE L*a*b* of sRGB colours, D65. Source: IEC 61966-2-1 (sRGB); CIE 15:2004, §8.2.1 (L*a*b*).

/** Linear light of a byte. */
export const LINEAR: Float64Array = Float64Array.from({length: 256}, (_, byte) => {
  const s = byte / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
});

/** XYZ of linear sRGB, each row divided by the white point's: white is (1, 1, 1). */
export const TO_XYZ: readonly (readonly [number, number, number])[] = [
  [0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339 / 1.08883, 0.119192 / 1.08883, 0.9503041 / 1.08883],
];

/** Linear sRGB of XYZ. */
const FROM_XYZ = [
  [3.2404542, -1.5371385, -0.4985314],
  [-0.969266, 1.8760108, 0.041556],
  [0.0556434, -0.2040259, 1.0572252],
] as const;

/** Below (6/29)³ the tangent of the cube root replaces it. */
const KNEE = (6 / 29) ** 3;

function compress(t: number): number {
  return t > KNEE ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29;
}

/**
 * `compress` at multiples of 2^-14 of white, for speed. Linear interpolation is exact to 3 · 10^-7, which is 10^-4
 * units of L*a*b*.
 */
const STEPS = 2 ** 14;
export const COMPRESSED: Float64Array = Float64Array.from({length: STEPS + 2}, (_, k) => compress(k / STEPS));

function compressed(t: number): number {
  const position = t * STEPS;
  const k = Math.trunc(position);
  return COMPRESSED[k] + (position - k) * (COMPRESSED[k + 1] - COMPRESSED[k]);
}

function expand(f: number): number {
  return f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29);
}

/** Writes L*, a* and b* of the colour whose bytes begin at `at` into `lab`. */
export function labOfRgb(rgb: Uint8Array, at: number, lab: Float64Array): void {
  const r = LINEAR[rgb[at]];
  const g = LINEAR[rgb[at + 1]];
  const b = LINEAR[rgb[at + 2]];
  const fx = compressed(TO_XYZ[0][0] * r + TO_XYZ[0][1] * g + TO_XYZ[0][2] * b);
  const fy = compressed(TO_XYZ[1][0] * r + TO_XYZ[1][1] * g + TO_XYZ[1][2] * b);
  const fz = compressed(TO_XYZ[2][0] * r + TO_XYZ[2][1] * g + TO_XYZ[2][2] * b);
  lab[0] = 116 * fy - 16;
  lab[1] = 500 * (fx - fy);
  lab[2] = 200 * (fy - fz);
}

/** A box around L*, a* and b* of all sRGB colours, with a margin for rounding. */
export const LAB_BOX = {min: [-0.01, -86.2, -107.9], max: [100.01, 98.3, 94.5]} as const;

/** Writes the nearest sRGB bytes of a colour into `rgb` from `at` on. */
export function rgbOfLab(l: number, a: number, b: number, rgb: Uint8Array, at: number): void {
  const fy = (l + 16) / 116;
  const x = 0.95047 * expand(fy + a / 500);
  const y = expand(fy);
  const z = 1.08883 * expand(fy - b / 200);
  for (let c = 0; c < 3; c++) {
    const [rx, ry, rz] = FROM_XYZ[c];
    const linear = Math.min(1, Math.max(0, rx * x + ry * y + rz * z));
    const s = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    rgb[at + c] = Math.round(255 * s);
  }
}
