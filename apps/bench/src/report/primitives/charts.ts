import {DASHES, hueAt, type Chart} from '../chart.ts';
import type {DocumentMark} from '../documentLayers.ts';
import {lineChart, type Series} from '../lineChart.ts';
import {renderChart} from '../renderChart.ts';
import {
  countsOf,
  familiesOf,
  findMeasured,
  librariesOf,
  operationName,
  rateOf,
  type Family,
  type PrimitiveRun,
  type PrimitiveSection,
} from './section.ts';

/** GB/s over the count, one chart a family; a family without device times has none. */
export async function drawCharts(section: PrimitiveSection): Promise<Chart[]> {
  const charts = await Promise.all(familiesOf(section).map((family) => familyChart(section, family)));
  return charts.filter((chart) => chart !== null);
}

async function familyChart(section: PrimitiveSection, family: Family): Promise<Chart | null> {
  const series = section.runs.flatMap((run, index) => seriesOf(section, family, run, index));
  if (series.length === 0) return null;
  // Beside a software adapter they would only stretch the axis.
  const isHardware = section.runs.some(({result}) => result.adapter?.kind === 'hardware');
  const marks = isHardware ? marksOf(section, family) : [];
  const counts = [...new Set([...series.flatMap(({points}) => points), ...marks].map(({x}) => x))];
  const title = `${family.name}: GB/s`;
  const spec = lineChart({
    series,
    marks,
    x: {title: 'elements', log: true, powersOfTwo: counts.toSorted((a, b) => a - b)},
    y: {log: true, unit: 'rate'},
    rule: null,
  });
  const documentWords =
    marks.length === 0
      ? ''
      : ` Hollow diamonds: ${librariesOf(section, family).join(', ')} on ${marksMachine(section)}.`;
  return {
    name: family.name.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    title,
    caption: `Useful bytes over device time; both axes logarithmic. Grey: a copy that moves as many bytes.${documentWords}`,
    svg: await renderChart(spec, title),
  };
}

/** A line an operation, and one for the best copy beside any of them. */
function seriesOf(section: PrimitiveSection, {operations}: Family, run: PrimitiveRun, index: number): Series[] {
  const suffix = section.runs.length > 1 ? ` · ${run.letter}` : '';
  const dash = DASHES[Math.min(index, DASHES.length - 1)];
  const lines = operations.map((operation, place): Series => ({
    label: operationName(operation) + suffix,
    color: hueAt(place),
    dash,
    points: countsOf(section, operation).flatMap((count) => {
      const y = rateOf(findMeasured(run, operation, count, 'gpu'));
      return y === null ? [] : [{x: count, y}];
    }),
  }));
  const counts = [...new Set(operations.flatMap((operation) => countsOf(section, operation)))].toSorted(
    (a, b) => a - b,
  );
  const copies = counts.flatMap((count) => {
    const rates = operations.flatMap((operation) => rateOf(findMeasured(run, operation, count, 'copy')) ?? []);
    return rates.length === 0 ? [] : [{x: count, y: Math.max(...rates)}];
  });
  return [...lines, {label: `a copy${suffix}`, color: 'var(--ink-2)', dash: [2, 3], points: copies}].filter(
    ({points}) => points.length > 0,
  );
}

/** Other libraries' times as rates of the same bytes; each is named once, at its last count. */
function marksOf({suite}: PrimitiveSection, {operations}: Family): DocumentMark[] {
  return operations.flatMap(({id, bytesPerElement}, place) => {
    const figures = suite.published.filter(({operation}) => operation === id);
    return figures.flatMap(({count, outcome, library}): DocumentMark[] => {
      if (typeof outcome !== 'number') return [];
      const isLast = !figures.some((one) => one.library === library && one.count > count && one.outcome !== 'hangs');
      const y = (bytesPerElement * count) / outcome / 1e6;
      return [{x: count, y, text: isLast ? library : '', color: hueAt(place)}];
    });
  });
}

function marksMachine({suite}: PrimitiveSection): string {
  return [...new Set(suite.published.map(({machine}) => machine))].join(', ');
}
