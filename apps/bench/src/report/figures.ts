import {
  figures,
  quartilesOf,
  timeOf,
  type ChartSpec,
  type Evaluated,
  type Evidence,
  type Figure,
  type Quantity,
  type ShareSpec,
  type TableSpec,
} from '@epsball/benchmarks';
import {escapeHtml, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {chartHtml, type Series} from './chart.ts';
import type {MachineRuns} from './machines.ts';
import {picturesHtml} from './pictures.ts';
import {faint, plain, tableHtml, type Table, type TableCell} from './table.ts';
import {hueAt} from './theme.ts';

const MARKS: Readonly<Record<Evaluated['mark'], string>> = {
  '': '',
  '†': '† extrapolated by a power of n that is fitted to measured times; no rule is judged by it.',
  '‡': '‡ the baseline was timed in another run on the same kind of machine, some of them several at a time.',
};

/** An entry of a document in its own shape, ours beside it; empty where this machine has none of it. */
export async function figureHtml(id: string, {evidence, runs}: MachineRuns): Promise<string> {
  const figure: Figure = figures[id] ?? {};
  const marks = new Set<Evaluated['mark']>();
  const charts = (figure.charts ?? []).map((spec) => chartOf(spec, evidence)).filter((html) => html !== '');
  const specs = figure.tables ?? [];
  const isAny = specs.some(({rows}) => rows.some((row) => row.some((cell) => isMeasured(cell, evidence))));
  const tables = (isAny ? specs : []).map((spec) => tableHtml(tableOf(spec, evidence, marks), false));
  const shares = (figure.shares ?? []).flatMap((spec) => shareTable(spec, evidence));
  const pictures = figure.pictures === undefined ? '' : await picturesHtml(runs, figure.pictures);
  const body = [
    pictures,
    charts.length === 0 ? '' : `<div class="grid">\n${charts.join('\n')}\n</div>`,
    ...tables.filter((html) => html !== ''),
    ...shares,
  ].filter((html) => html !== '');
  if (body.length === 0) return '';
  const notes = [...[...marks].map((mark) => MARKS[mark]), ...(figure.notes ?? [])].filter((note) => note !== '');
  return [...body, ...notes.map((note) => `<p class="small">${escapeHtml(note)}</p>`)].join('\n');
}

function chartOf({title, x, isLogX, unit, series, stated = []}: ChartSpec, evidence: Evidence): string {
  const lines = series.map(({label, points}): Series => ({
    label,
    points: points.flatMap(({x: at, quantity}) => {
      const found = evidence.estimate(quantity);
      return found === undefined ? [] : [{x: at, y: found.value, ...spreadOf(quantity, evidence)}];
    }),
  }));
  const caption = stated.length > 0 ? 'Brown: what the document states, of its machines.' : '';
  return chartHtml({title, caption, x, isLogX, unit, series: lines, stated});
}

/** The middle half of the runs of a time. */
function spreadOf({terms, unit}: Quantity, evidence: Evidence): {low?: number; high?: number} {
  const timing = unit === 'time' ? evidence.find(terms[0].cell)?.wall : undefined;
  if (timing === undefined || timing === null || timing.allMs.length < 3) return {};
  const [low, high] = quartilesOf(timing);
  return {low, high};
}

type Cell = TableSpec['rows'][number][number];

function isMeasured(cell: Cell, evidence: Evidence): boolean {
  return typeof cell === 'object' && 'terms' in cell && evidence.missing(cell).length === 0;
}

function tableOf({title, columns, rows}: TableSpec, evidence: Evidence, marks: Set<Evaluated['mark']>): Table {
  const cellOf = (cell: Cell): TableCell => {
    if (typeof cell === 'string') return plain(cell);
    if ('document' in cell) return cell.document === '' ? faint() : {text: cell.document, tone: 'document'};
    if ('overBest' in cell) {
      const ours = evidence.find(cell.overBest);
      const best = ours && evidence.fastestBeside(ours, cell.isThreaded);
      if (ours === undefined || best === undefined) return faint();
      return plain(
        formatFactor(timeOf(best) / timeOf(ours)),
        `${best.row}${best.threads > 1 ? ` ×${best.threads}` : ''}`,
      );
    }
    const found = evidence.estimate(cell);
    if (found === undefined) return faint('not run');
    marks.add(found.mark);
    return plain((found.mark === '' ? '' : `${found.mark} `) + quantityText(found.value, cell.unit));
  };
  return {title, columns, rows: rows.map((row) => row.map(cellOf))};
}

export function quantityText(value: number, unit: Quantity['unit']): string {
  if (unit === 'time') return formatMs(value);
  if (unit === 'exponent') return `power ${value.toFixed(2)}`;
  return unit === 'share' ? formatPercent(value) : formatFactor(value);
}

/** A bar a cell; each column of parts has the colour of its part in the bars. */
function shareTable({title, bars}: ShareSpec, evidence: Evidence): string[] {
  const rows = bars.flatMap(({label, cell, parts}): TableCell[][] => {
    const times = parts.map(({part}) => evidence.evaluate({terms: [{cell, power: 1, part}], unit: 'time'})?.value);
    if (evidence.find(cell) === undefined || times.every((ms) => ms === undefined)) return [];
    const whole = times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
    const segments = times.map(
      (ms = 0, k) => `<i style="width:${((100 * ms) / whole).toFixed(1)}%;background:${hueAt(k)}"></i>`,
    );
    const html = `<span class="stack">${segments.join('')}</span>`;
    const cells = times.map((ms = 0) => plain(formatMs(ms), formatPercent(ms / whole)));
    return [[plain(label), {text: '', html}, ...cells]];
  });
  if (rows.length === 0) return [];
  const parts = bars[0].parts.map(({title: name}, k) => `${'■▲●◆✚★▼▶'.charAt(k % 8)} ${name}`);
  const html = tableHtml({title, columns: ['', 'share of each part', ...parts], rows}, false);
  // The heads of the parts have the colours of the bars.
  return [
    parts.reduce(
      (text, part, k) =>
        text.replace(`>${escapeHtml(part)}<`, ` style="border-bottom:3px solid ${hueAt(k)}">${escapeHtml(part)}<`),
      html,
    ),
  ];
}
