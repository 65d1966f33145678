import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {committedBaselines, committedReferences} from '../src/files.ts';
import {readResult} from '../src/readResult.ts';
import {groupByMachine} from '../src/report/machines.ts';
import {MARKED_TABLES, withTable} from '../src/report/markedTables.ts';

const ROOT = join(import.meta.dirname, '../../..');

const results = await Promise.all(committedBaselines().map(readResult));
const [machine] = groupByMachine(
  results
    .filter(({adapter, profile}) => adapter?.kind === 'hardware' && profile === 'full')
    .map((result) => ({folder: '', result})),
  await Promise.all(committedReferences().map(readResult)),
);

it.for(MARKED_TABLES)('the table $name of $page is that of the committed results', (table) => {
  const text = readFileSync(join(ROOT, table.page), 'utf8');
  expect(text).toBe(withTable(text, table, machine));
  // A table of heads alone says nothing.
  expect(table.write(machine).split('\n').length).toBeGreaterThan(2);
});

it('refuses a page without marks', () => {
  expect(() => withTable('text', MARKED_TABLES[0], machine)).toThrow('README.md has no <!-- headline');
});
