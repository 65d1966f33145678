import {describe, expect, it} from 'vitest';
import {titledTableHtml} from '../src/report/pageParts.ts';
import {numberColumn, plain, textColumn} from '../src/report/table.ts';

describe('a table of the page', () => {
  it('gives long text a wide column, so that a phone does not break it over many lines', () => {
    const times = Array.from({length: 16}, (_, thread) => `${thread}.25 ms`).join(', ');
    const columns = [textColumn('what'), textColumn('by thread'), numberColumn('sum')];
    const html = titledTableHtml({
      title: 'Threads',
      table: {columns, rows: [[plain('pds'), plain(times), plain('2')]]},
    });
    expect(html).toContain(`<td>pds</td><td class="long">${times}</td><td class="number">2</td>`);
  });
});
