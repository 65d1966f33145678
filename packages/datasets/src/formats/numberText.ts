const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const SPACE = 0x20;

/** 10^0 … 10^22: the powers of ten that float64 holds exactly. */
const POWERS_OF_TEN = Float64Array.from({length: 23}, (_, k) => Number(`1e${k}`));

/**
 * Reads a decimal number, `-12.5e3`, from Latin-1 bytes; spaces around it are skipped. Rounds as `Number(text)` does.
 *
 * @returns  NaN for anything else: empty text, hexadecimal, `nan`, `inf`
 * @source   Clinger 1990: a mantissa below 2^53 and a power of ten up to 10^22 are both exact, so one multiplication or
 *           division rounds once, correctly. Longer numbers go to `Number`.
 */
export function parseDecimal(bytes: Buffer, start: number, end: number): number {
  while (start < end && bytes[start] === SPACE) start++;
  while (end > start && bytes[end - 1] === SPACE) end--;
  let at = start;
  const isNegative = bytes[at] === MINUS;
  if (isNegative || bytes[at] === PLUS) at++;
  let mantissa = 0;
  let digitCount = 0;
  let power = 0;
  let byte = 0;
  for (; at < end && (byte = bytes[at]) >= ZERO && byte <= NINE; at++, digitCount++) {
    mantissa = mantissa * 10 + (byte - ZERO);
  }
  if (at < end && bytes[at] === POINT) {
    const fraction = ++at;
    for (; at < end && (byte = bytes[at]) >= ZERO && byte <= NINE; at++, digitCount++) {
      mantissa = mantissa * 10 + (byte - ZERO);
    }
    power = fraction - at;
  }
  if (digitCount === 0) return NaN;
  if (at < end) {
    const exponent = parseExponent(bytes, at, end);
    if (Number.isNaN(exponent)) return NaN;
    power += exponent;
  }
  if (mantissa > Number.MAX_SAFE_INTEGER || power < -22 || power > 22)
    return Number(bytes.toString('latin1', start, end));
  const magnitude = power < 0 ? mantissa / POWERS_OF_TEN[-power] : mantissa * POWERS_OF_TEN[power];
  return isNegative ? -magnitude : magnitude;
}

/** The exponent of `e-7` or `E+3`, which must fill the range; NaN otherwise. */
function parseExponent(bytes: Buffer, start: number, end: number): number {
  if ((bytes[start] | 0x20) !== 0x65) return NaN;
  let at = start + 1;
  const isNegative = bytes[at] === MINUS;
  if (isNegative || bytes[at] === PLUS) at++;
  if (at >= end) return NaN;
  let exponent = 0;
  for (; at < end; at++) {
    const digit = bytes[at] - ZERO;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    exponent = exponent * 10 + digit;
  }
  return isNegative ? -exponent : exponent;
}
