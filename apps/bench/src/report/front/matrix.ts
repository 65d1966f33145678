import type {MeasuredDbscanCell} from '@epsball/benchmarks';
import {escapeHtml, formatCount, formatFactor, formatMs} from '@epsball/cli/command';
import {subjectName} from '../dbscan/section.ts';
import {variantHue} from '../variantHue.ts';
import type {MachineRuns} from './machines.ts';

/** The fastest cell of a variant on a backend, for one data set. */
interface MatrixCell {
  readonly cell: MeasuredDbscanCell;
  /** Time over that of the winner. */
  readonly factor: number;
}

/** One data set with its parameters. */
interface MatrixRow {
  readonly title: string;
  readonly n: number;
  readonly cells: readonly (MatrixCell | null)[];
}

export interface Matrix {
  /** `dense-grid gpu`, in the order of the catalogue of the results. */
  readonly columns: readonly {readonly row: string; readonly backend: string}[];
  readonly rows: readonly MatrixRow[];
  readonly sizes: readonly number[];
}

/**
 * Data sets × variants × backends: the fastest cell of each over options and threads. Data sets that fewer than two
 * subjects ran are left out.
 */
export function matrixOf({runs}: MachineRuns): Matrix {
  const cells = runs.flatMap(({result}) =>
    result.kind === 'dbscan' ? result.cells.filter((cell) => cell.status === 'measured') : [],
  );
  const columns: {row: string; backend: string}[] = [];
  for (const {row, backend} of cells) {
    if (!columns.some((one) => one.row === row && one.backend === backend)) columns.push({row, backend});
  }
  columns.sort((a, b) => backendPlace(a.backend) - backendPlace(b.backend) || a.row.localeCompare(b.row));
  const groups = [...Map.groupBy(cells, titleOf).entries()];
  const rows = groups
    .map(([title, all]): MatrixRow => {
      const fastest = columns.map(({row, backend}) =>
        shortest(all.filter((c) => c.row === row && c.backend === backend)),
      );
      const best = Math.min(...fastest.flatMap((cell) => cell?.wall.medianMs ?? []));
      const compared = fastest.map((cell) => (cell === null ? null : {cell, factor: cell.wall.medianMs / best}));
      return {title, n: all[0].n, cells: compared};
    })
    .filter((one) => one.cells.filter((cell) => cell !== null).length > 1)
    .sort((a, b) => b.n - a.n || a.title.localeCompare(b.title));
  return {columns, rows, sizes: [...new Set(rows.map(({n}) => n))]};
}

function backendPlace(backend: string): number {
  return ['gpu', 'workers', 'sequential'].indexOf(backend);
}

function titleOf({dataset, n, dim, eps, minPts}: MeasuredDbscanCell): string {
  const [generator] = dataset.split(':', 1);
  return `${generator}, ${formatCount(n)} × ${dim}, eps ${eps}, minPts ${minPts}`;
}

function shortest(cells: readonly MeasuredDbscanCell[]): MeasuredDbscanCell | null {
  if (cells.length === 0) return null;
  return cells.reduce((one, other) => (other.wall.medianMs < one.wall.medianMs ? other : one));
}

/** The matrix with a selector for the number of points; style sheets do the selection, so it needs no script. */
export function matrixHtml(machines: readonly MachineRuns[]): string {
  const [machine] = machines;
  if (machine === undefined) return '';
  const {columns, rows, sizes} = matrixOf(machine);
  if (rows.length === 0) return '';
  const chosen = sizeWithMost(rows);
  const choices = [
    `<input type="radio" name="size" id="size-all"><label for="size-all">all</label>`,
    ...sizes.map(
      (n) =>
        `<input type="radio" name="size" id="size-${n}"${n === chosen ? ' checked' : ''}><label for="size-${n}">${shortCount(n)}</label>`,
    ),
  ];
  const css = sizes.map((n) => `#matrix:has(#size-${n}:checked) tr[data-n]:not([data-n="${n}"])`).join(',');
  const head = columns.map(
    ({row, backend}) =>
      `<th class="number" scope="col"><i class="swatch" style="background:${variantHue(row)}"></i>${escapeHtml(row)}<small>${escapeHtml(backend)}</small></th>`,
  );
  return `<section id="matrix" aria-labelledby="matrix-title">
<h2 id="matrix-title">Variants against each other</h2>
<p class="small">${escapeHtml(machine.name)}. Wall time with transfers, and how many times that of the fastest; the fastest is marked. Of several options or thread counts a cell has the fastest.</p>
<style>@media screen { ${css} { display: none; } }</style>
<fieldset class="sizes"><legend>points</legend>${choices.join('')}</fieldset>
<div class="scroll" tabindex="0" role="region" aria-label="Data sets and variants"><table class="matrix sortable"><thead><tr><th scope="col">data</th>${head.join('')}</tr></thead>
<tbody>
${rows.map(rowHtml).join('\n')}
</tbody></table></div>
</section>`;
}

function rowHtml({title, n, cells}: MatrixRow): string {
  const body = cells.map((one) => {
    if (one === null) return '<td class="number faint">–</td>';
    const {cell, factor} = one;
    const isBest = factor === 1;
    const note = isBest ? 'fastest' : formatFactor(factor);
    return `<td class="number${isBest ? ' winner' : ''}" data-value="${cell.wall.medianMs}" title="${escapeHtml(subjectName(cell))}">${formatMs(cell.wall.medianMs)}<small>${note}</small></td>`;
  });
  return `<tr data-n="${n}"><th scope="row">${escapeHtml(title)}</th>${body.join('')}</tr>`;
}

/** The number of points at which the most variants meet; of several that with the most data sets, then the largest. */
function sizeWithMost(rows: readonly MatrixRow[]): number {
  const variantsOf = ({cells}: MatrixRow): number => cells.filter((cell) => cell !== null).length;
  const sizes = [...Map.groupBy(rows, ({n}) => n)].map(([n, alike]) => ({
    n,
    variants: Math.max(...alike.map(variantsOf)),
    sets: alike.length,
  }));
  return sizes.toSorted((a, b) => b.variants - a.variants || b.sets - a.sets || b.n - a.n)[0].n;
}

function shortCount(n: number): string {
  if (n >= 1_000_000) return `${Number((n / 1_000_000).toFixed(1))}M`;
  return n >= 1000 ? `${Number((n / 1000).toFixed(1))}k` : String(n);
}
