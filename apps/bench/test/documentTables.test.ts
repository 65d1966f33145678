import {suites, type DbscanSuite, type PeerFigure, type PublishedFigure} from '@epsball/benchmarks';
import {describe, expect, it} from 'vitest';
import {documentTable} from '../src/report/dbscan/documentTable.ts';
import {indexTable} from '../src/report/dbscan/indexTable.ts';
import {kernelTable} from '../src/report/dbscan/kernelTable.ts';
import {peerTable} from '../src/report/dbscan/peerTable.ts';
import type {DbscanSection} from '../src/report/dbscan/section.ts';
import type {Table} from '../src/report/table.ts';
import {measuredCell, resultFile} from './reportFixture.ts';

const STAR = {row: 'star', backend: 'gpu', options: {index: 'directory'}} as const;
const PLAIN = {row: 'star', backend: 'gpu', options: {index: 'none'}} as const;

function sectionOf(
  cells: ReturnType<typeof measuredCell>[],
  published: readonly PublishedFigure[],
  axis: DbscanSuite['axis'] = 'n',
): DbscanSection {
  const some = suites.find((suite) => suite.kind === 'dbscan');
  if (some?.kind !== 'dbscan') throw new Error('no suite of DBSCAN');
  const run = {label: 'here', letter: 'A', folder: '.', result: resultFile(cells)};
  return {kind: 'dbscan', suite: {...some, axis, published}, runs: [run]};
}

function figure(changes: Partial<PublishedFigure>): PublishedFigure {
  return {
    subject: STAR,
    quantity: 'time',
    n: 1000,
    value: 1,
    printed: '1 s',
    machine: 'their GPU',
    reading: 'stated in the text',
    where: 'Table 1',
    ...changes,
  };
}

function textOf(table: Table | null): string[][] | undefined {
  return table?.rows.map((row) => row.map(({text, note}) => (note === undefined ? text : `${text} (${note})`)));
}

describe('the table of a document’s numbers', () => {
  const at = (dim: number, index: number): ReturnType<typeof measuredCell> =>
    measuredCell(100, {n: 1000, dim, dataset: `g${dim}`, ...STAR, phaseMs: {index, clusters: 100 - index}});

  it('finds our cells by dimensions, and shows the index separately', () => {
    const published = [
      figure({quantity: 'timeWithoutIndex', dim: 16, value: 38_600, printed: '38.6 s'}),
      figure({quantity: 'indexTime', dim: 16, value: 600, printed: '0.6 s'}),
      figure({quantity: 'indexShare', dim: 16, value: 0.016, printed: '1.6 %'}),
    ];
    const rows = textOf(documentTable(sectionOf([at(8, 50), at(16, 20)], published)));
    expect(rows?.map((row) => [row[0], row[2], row[3], row[5]])).toEqual([
      ['time without its index, star gpu (index directory)', '16', '38.6 s', '80.0 ms'],
      ['index construction, star gpu (index directory)', '16', '0.6 s', '20.0 ms'],
      ['index over the rest, star gpu (index directory)', '16', '1.6 %', '25.0 %'],
    ]);
  });

  it('divides by the serial cell with the same options if it ran, else by the reference', () => {
    const cells = [
      measuredCell(3000, {n: 1000, row: 'sequential', backend: 'sequential'}),
      measuredCell(9000, {n: 1000, row: 'sequential', backend: 'sequential', options: {index: 'none'}}),
      measuredCell(100, {n: 1000, ...STAR}),
      measuredCell(300, {n: 1000, ...PLAIN}),
    ];
    const published = [
      figure({quantity: 'speedUp', value: 10, printed: '10'}),
      figure({quantity: 'speedUp', subject: PLAIN, value: 15, printed: 'almost 15'}),
      figure({quantity: 'time', subject: PLAIN, value: 40 * 60_000, printed: '40 minutes'}),
      figure({quantity: 'time', value: 9 * 3_600_000, printed: 'nine hours'}),
    ];
    const rows = textOf(documentTable(sectionOf(cells, published)));
    expect(rows?.map((row) => [row[2], row[4]])).toEqual([
      ['10', '30.0×'],
      ['almost 15', '30.0×'],
      ['40 minutes', '300 ms'],
      ['nine hours', '100 ms'],
    ]);
  });
});

describe('the table of index construction', () => {
  const built = measuredCell(110, {n: 1000, ...STAR, phaseMs: {index: 10, clusters: 100}});
  const plain = measuredCell(300, {n: 1000, ...PLAIN, phaseMs: {index: 1, clusters: 299}});

  it('has the cells that build an index', () => {
    const section = sectionOf([built, plain], [figure({quantity: 'indexTime'})]);
    expect(textOf(indexTable(section))).toEqual([
      ['1,000 points, star gpu (index directory)', '10.0 ms', '100 ms', '10.0 %'],
    ]);
  });

  it('is absent if the document has none', () => {
    expect(indexTable(sectionOf([built], []))).toBeNull();
  });
});

describe('the table of other programs', () => {
  it('has our fastest variant on the same data and the same kind of machine', () => {
    const cells = [
      measuredCell(9, {n: 1000, dataset: 'spots', ...PLAIN}),
      measuredCell(4, {n: 1000, dataset: 'spots', ...STAR}),
      measuredCell(2, {n: 1000, dataset: 'spots', row: 'pds', backend: 'workers'}),
      measuredCell(1, {n: 1000, dataset: 'others', ...STAR}),
    ];
    const section = sectionOf(cells, []);
    const peer = {machine: 'their GPU', measured: 'once', dataset: 'spots', deviceMs: 3, wallMs: null} as const;
    const peers: PeerFigure[] = [
      {...peer, program: 'rival', runsOn: 'gpu'},
      {...peer, program: 'another', runsOn: 'cpu', deviceMs: null, wallMs: 115},
      {...peer, program: 'absent', runsOn: 'gpu', dataset: 'not measured'},
    ];
    const rows = textOf(peerTable({...section, suite: {...section.suite, peers}}));
    expect(rows?.map((row) => [row[1], row[2], row[3], row[5], row[7]])).toEqual([
      ['rival', '3.00 ms', '–', 'star gpu (index directory)', '4.00 ms'],
      ['another', '–', '115 ms', 'pds workers', '2.00 ms'],
    ]);
    expect(peerTable(section)).toBeNull();
  });
});

describe('the table of kernels', () => {
  it('shows time and share of each part, for cells with times per kernel only', () => {
    const counters = {expansionMs: 80, newSeedsMs: 10, seedRefillMs: 4, collisionMs: 6, chains: 7};
    const cells = [measuredCell(120, {n: 1000, ...STAR, counters}), measuredCell(90, {n: 1000, ...PLAIN})];
    expect(textOf(kernelTable(sectionOf(cells, [])))).toEqual([
      [
        '1,000 points, star gpu (index directory)',
        '80.0 ms (80.0 %)',
        '10.0 ms (10.0 %)',
        '6.00 ms (6.00 %)',
        '4.00 ms (4.00 %)',
      ],
    ]);
    expect(kernelTable(sectionOf([], []))).toBeNull();
  });
});
