import type {PublishedFigure} from '@epsball/benchmarks';
import {describe, expect, it} from 'vitest';
import {drawCharts} from '../src/report/dbscan/charts.ts';
import {documentTable} from '../src/report/dbscan/documentTable.ts';
import {findingsOf} from '../src/report/dbscan/findings.ts';
import {flowTable} from '../src/report/dbscan/flowTable.ts';
import {graphTable} from '../src/report/dbscan/graphTable.ts';
import {resultTable} from '../src/report/dbscan/resultTable.ts';
import {speedUpsOf, subjectName, type DbscanSection} from '../src/report/dbscan/section.ts';
import {speedUpTable} from '../src/report/dbscan/speedUpTable.ts';
import {dbscanView} from '../src/report/dbscan/view.ts';
import {buildReport} from '../src/report/model.ts';
import type {Table} from '../src/report/table.ts';
import {dbscanSectionOf, measuredCell, resultFile} from './reportFixture.ts';

const GRID = {row: 'sequential', backend: 'sequential'} as const;
const ALL_PAIRS = {...GRID, options: {index: 'none'}} as const;
const HYBRID = {row: 'hybrid', backend: 'gpu', threads: 8} as const;

const COUNTERS = {coreEdges: 9000, borderEdges: 1000, travelledBytes: 2 ** 20, transferMs: 2, uniteMs: 5};

/** All at a thousand points; at two thousand the code without an index was too slow. */
const CELLS = [
  measuredCell(10, {...GRID, n: 1000}),
  measuredCell(100, {...GRID, n: 1000, options: {index: 'none'}}),
  measuredCell(8, {row: 'gdbscan', backend: 'gpu', n: 1000, counters: {edges: 40_000, levels: 12}}),
  measuredCell(5, {
    ...HYBRID,
    n: 1000,
    counters: COUNTERS,
    device: {...measuredCell(1, {...GRID, n: 1}).wall, medianMs: 3},
  }),
  measuredCell(20, {...GRID, n: 2000}),
  measuredCell(4, {...HYBRID, n: 2000}),
];

const FIGURE: PublishedFigure = {
  subject: HYBRID,
  over: ALL_PAIRS,
  quantity: 'speedUp',
  n: 1000,
  value: 41,
  printed: 'x41',
  machine: 'theirs',
  reading: 'stated in the text',
  where: 'summary',
};

const base = dbscanSectionOf(
  buildReport([{folder: '.', result: resultFile(CELLS)}], false, '2026-11-21T16:00:00.000Z'),
);
const section: DbscanSection = {
  ...base,
  suite: {...base.suite, baselines: [GRID, ALL_PAIRS], published: [FIGURE]},
};

function textOf(table: Table | null): string[][] | undefined {
  return table?.rows.map((row) => row.map(({text}) => text));
}

describe('a suite that names its baselines', () => {
  it('divides every other subject by each baseline, also serial subjects', () => {
    expect(
      speedUpsOf(section).map(({subject, baseline, cell, factor}) => [
        subjectName(subject),
        subjectName(baseline),
        cell.n,
        factor,
      ]),
    ).toEqual([
      ['sequential', 'sequential (index none)', 1000, 10],
      ['sequential (index none)', 'sequential', 1000, 0.1],
      ['gdbscan gpu', 'sequential', 1000, 1.25],
      ['gdbscan gpu', 'sequential (index none)', 1000, 12.5],
      ['hybrid gpu ×8', 'sequential', 1000, 2],
      ['hybrid gpu ×8', 'sequential (index none)', 1000, 20],
      ['hybrid gpu ×8', 'sequential', 2000, 5],
    ]);
  });

  it('has a table of speed-ups per baseline, and no speed-up in the table of times', () => {
    expect(textOf(speedUpTable(section, GRID))).toEqual([
      ['sequential (index none)', '0.100×', '–'],
      ['gdbscan gpu', '1.25×', '–'],
      ['hybrid gpu ×8', '2.00×', '5.00×'],
    ]);
    expect(textOf(speedUpTable(section, ALL_PAIRS))?.map(([name]) => name)).toEqual([
      'sequential',
      'gdbscan gpu',
      'hybrid gpu ×8',
    ]);
    expect(
      resultTable(section)
        .columns.map(({title}) => title)
        .filter((title) => title.includes(' over ')),
    ).toEqual([]);
    const titles = dbscanView(section).tables.map(({title}) => title);
    expect(titles).toContain('Speed-up over sequential');
    expect(titles).toContain('Speed-up over sequential (index none)');
  });

  it('has a chart per baseline, with the document’s factors over the same baseline', async () => {
    const charts = (await drawCharts(section)).filter(({name}) => /^speed-up-\d/.test(name));
    expect(charts.map(({title}) => title)).toEqual([
      'Speed-up over sequential',
      'Speed-up over sequential (index none)',
    ]);
    expect(charts.map(({svg}) => svg.includes('document, hybrid: x41'))).toEqual([false, true]);
  });

  it('has bars per baseline at its largest workload, with the document’s factors', async () => {
    const charts = (await drawCharts(section)).filter(({name}) => name.startsWith('speed-up-bars'));
    expect(charts.map(({title}) => title)).toEqual([
      'Speed-up over sequential, 2,000 points',
      'Speed-up over sequential (index none), 1,000 points',
    ]);
    const [over, overAllPairs] = charts.map(({svg}) => svg);
    expect(over).toContain('hybrid gpu ×8: 5.00×');
    expect(over).not.toContain('gdbscan gpu');
    expect(overAllPairs).toContain('hybrid gpu ×8: 20.0× (document: x41)');
    expect(overAllPairs).toContain('sequential: 10.0×');
    expect(overAllPairs).toContain('gdbscan gpu: 12.5×');
  });

  it('states the largest factor over each baseline, at its largest workload', () => {
    const sentences = findingsOf(section).filter((sentence) => sentence.includes('as fast as'));
    expect(sentences).toEqual(['hybrid gpu ×8 was 5.00× as fast as sequential at 2,000 points.']);
  });

  it('shows our factor over the named baseline beside the document’s', () => {
    const [row] = textOf(documentTable(section)) ?? [];
    expect(row.slice(0, 3)).toEqual(['speed-up, hybrid gpu ×8 over sequential (index none)', '1,000', 'x41']);
    expect(row).toContain('20.0×');
  });
});

describe('graphTable', () => {
  it('breaks G-DBSCAN down into graph construction and BFS', () => {
    // The fixture's phases: a quarter index, a quarter core, half clusters.
    expect(textOf(graphTable(section))).toEqual([
      ['1,000 points, gdbscan gpu', '40,000', '12', '4.00 ms', '4.00 ms', 'host'],
    ]);
  });

  it('has a chart as well', async () => {
    const chart = (await drawCharts(section)).find(({name}) => name === 'stages');
    // A long line is broken in two.
    const words = chart?.svg.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('1,000 points, gdbscan gpu: graph construction 4.00 ms, BFS 4.00 ms');
  });

  it('uses the device’s times if there are any', () => {
    const devicePhaseMs = {index: 1, core: 1, clusters: 6};
    const cells = [measuredCell(9, {row: 'gdbscan', backend: 'gpu', n: 1000, devicePhaseMs})];
    const timed = dbscanSectionOf(
      buildReport([{folder: '.', result: resultFile(cells)}], false, '2026-11-21T16:00:00.000Z'),
    );
    expect(textOf(graphTable(timed))).toEqual([
      ['1,000 points, gdbscan gpu', '–', '–', '2.00 ms', '6.00 ms', 'device'],
    ]);
  });
});

describe('flowTable', () => {
  it('sums the phases that overlap', () => {
    expect(textOf(flowTable(section))).toEqual([
      ['1,000 points, hybrid gpu ×8', '10,000', '1.0 MiB', '3.00 ms', '2.00 ms', '5.00 ms', '5.00 ms', '2.00×'],
    ]);
  });

  it('is absent if no cell streams', () => {
    expect(
      flowTable(
        dbscanSectionOf(
          buildReport([{folder: '.', result: resultFile([CELLS[0]])}], false, '2026-11-21T16:00:00.000Z'),
        ),
      ),
    ).toBeNull();
  });
});
