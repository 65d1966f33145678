/** Whether a cell runs, by the names that select it, its backend and its points or elements. */
export type OnlyFilter = (cell: {
  readonly names: readonly string[];
  readonly backend: string;
  readonly n: number;
}) => boolean;

const BACKENDS = ['gpu', 'workers', 'sequential'];
const SIZE = /^(?:n=)?(\d+(?:\.\d+)?)([km]?)$/i;

/**
 * The filter of `--only`. Values of one kind (names, backends, sizes) are alternatives; a cell must match one of each
 * kind that is given.
 *
 * @param values  `dense-grid`, `dclust/gpu`, `gpu`, `scan-exclusive-u32`, `200k`, `n=1000`; none: every cell runs
 */
export function onlyFilter(values: readonly string[]): OnlyFilter {
  const sizes = values.flatMap((value) => sizeOf(value) ?? []);
  const rest = values.filter((value) => sizeOf(value) === null);
  // `sequential` is a variant, too.
  const backends = rest.filter((value) => BACKENDS.includes(value));
  const names = rest.filter((value) => !BACKENDS.includes(value));
  return ({names: own, backend, n}) =>
    (sizes.length === 0 || sizes.includes(n)) &&
    (backends.length === 0 || backends.includes(backend)) &&
    (names.length === 0 || names.some((name) => own.some((one) => one === name || one.startsWith(`${name}-`))));
}

function sizeOf(value: string): number | null {
  const match = SIZE.exec(value);
  if (match === null) return null;
  const factor = {k: 1000, m: 1_000_000}[match[2].toLowerCase()] ?? 1;
  return Number(match[1]) * factor;
}
