import {describe, expect, it} from 'vitest';
import type {DocumentMark} from '../src/report/documentLayers.ts';
import {lineChart} from '../src/report/lineChart.ts';

/** Words of the document's marks and how far they stand from their marks vertically, from a chart's layers. */
function wordsOf(marks: readonly DocumentMark[]): [text: string, dy: number][] {
  return placedWords(marks).map(({text, mark}) => [text, mark.dy]);
}

/** The same with all that is said of their place. */
function placedWords(marks: readonly DocumentMark[]): {readonly text: string; readonly mark: TextLayer['mark']}[] {
  const chart = lineChart({
    series: [{label: 'ours', color: 'red', dash: [], points: [{x: 1000, y: 1}]}],
    marks,
    x: {title: 'points', log: true, ticks: [1000, 4000]},
    y: {log: true, unit: 'factor'},
    rule: null,
  });
  const json = JSON.parse(JSON.stringify(chart)) as {layer: TextLayer[]};
  // Words are drawn twice: a halo, then themselves.
  const words = json.layer.filter(({mark}) => mark.type === 'text' && mark.color !== undefined);
  return words.flatMap(({mark, data}) => data.values.map(({text}) => ({text, mark})));
}

interface TextLayer {
  readonly mark: {readonly type: string; readonly dy: number; readonly align: string; readonly color?: string};
  readonly data: {readonly values: readonly {readonly text: string}[]};
}

function markAt(x: number, y: number, text: string): DocumentMark {
  return {x, y, text, color: 'red'};
}

describe('labels of a document’s marks', () => {
  it('are above the mark if another mark is in the way, else beside it', () => {
    const marks = [markAt(1_000_000, 15, 'left'), markAt(2_000_000, 15, 'right'), markAt(2_000_000, 3, 'lower')];
    expect(wordsOf(marks)).toEqual([
      ['left', 1],
      ['lower', 1],
      ['right', -15],
    ]);
  });

  it('are above the mark, too, if only their far end would cover another, nine decades tall', () => {
    const marks = [
      markAt(10_000, 49, 'sequential'),
      markAt(250_000, 100, 'document: with tiles'),
      markAt(100, 1e-4, ''),
    ];
    expect(wordsOf([...marks, markAt(250_000, 27_768, '')])).toContainEqual(['document: with tiles', -15]);
    expect(wordsOf([...marks, markAt(250_000, 27_768, '')])).toContainEqual(['sequential', 1]);
  });

  it('are right of a mark at the left end, beside the numbers of the axis', () => {
    const placed = placedWords([markAt(1000, 9, 'first'), markAt(2000, 9, 'next')]);
    expect(placed.map(({text, mark}) => [text, mark.align])).toEqual([
      ['next', 'right'],
      ['first', 'left'],
    ]);
  });

  it('are left out if the document has none', () => {
    expect(wordsOf([markAt(1000, 1, ''), markAt(2000, 9, 'last')])).toEqual([['last', 1]]);
  });
});

describe('a logarithmic axis', () => {
  it.for([
    ['powers of ten', [1000, 20_000, 1_000_000], [1000, 10_000, 100_000, 1_000_000]],
    ['its values, where hardly a power of ten is between them', [20_000, 50_000, 200_000], [20_000, 50_000, 200_000]],
  ] as const)('is labelled at %s', ([, xs, labels]) => {
    const chart = lineChart({
      series: [{label: 'ours', color: 'red', dash: [], points: xs.map((x) => ({x, y: 1}))}],
      marks: [],
      x: {title: 'points', log: true},
      y: {log: true, unit: 'factor'},
      rule: null,
    });
    const json = JSON.parse(JSON.stringify(chart)) as {
      layer: {encoding: {x: {axis: {values: number[]}}}}[];
    };
    expect(json.layer[0].encoding.x.axis.values).toEqual(labels);
  });
});
