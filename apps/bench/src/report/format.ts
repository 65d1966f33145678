/** Three significant digits with a unit that fits: `850 µs`, `12.3 ms`, `4.56 s`. */
export function formatMs(ms: number): string {
  if (ms < 1) return `${trim(ms * 1000)} µs`;
  if (ms < 1000) return `${trim(ms)} ms`;
  return `${trim(ms / 1000)} s`;
}

/** `171,075` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `12.3×` */
export function formatFactor(factor: number): string {
  return `${trim(factor)}×`;
}

/** `0.034` → `3.4 %` */
export function formatPercent(fraction: number): string {
  return `${trim(fraction * 100)} %`;
}

/** `41.2` bytes a point, or a dash where it is not known. */
export function formatBytesPerPoint(bytes: number | null): string {
  return bytes === null ? '–' : bytes.toFixed(1);
}

/** A number that a document rounds: `about 68 s`, `about 59×`. */
export function formatAbout(quantity: 'time' | 'speedUp', value: number): string {
  const exact = quantity === 'time' ? formatMs(value) : formatFactor(value);
  return `about ${exact.replace(/\.0+(?=\D)/, '')}`;
}

/** Three significant digits without an exponent; zeros after the point say how exact it is, so they stay. */
function trim(value: number): string {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(digits, 4));
}

/** The command that runs a suite again. */
export function pastCommand(suite: string, profile: string): string {
  return `epsball bench ${suite} --profile ${profile}`;
}
