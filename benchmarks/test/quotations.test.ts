import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {claims, entryOf, figures} from '../src/index.ts';

/** The numbers and sentences of the four documents, word for word. */
const INVENTORY = z
  .array(
    z.object({
      id: z.string(),
      claims: z.array(z.string()).default([]),
      rows: z.array(z.array(z.string())).default([]),
      must_print: z.array(z.string()).default([]),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('inventory.json', import.meta.url), 'utf8')));

/** Sentences that state a relation and that the inventory does not quote. */
const SENTENCES = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL('sentences.json', import.meta.url), 'utf8')));

describe('the claims', () => {
  it.for(claims.map((claim) => ({id: claim.id, claim})))('$id quotes the document, word for word', ({claim}) => {
    const prefix = claim.entries[0].split('-', 1)[0];
    const texts = INVENTORY.filter(({id}) => id.startsWith(`${prefix}-`)).flatMap((entry) => [
      ...entry.claims,
      ...entry.must_print,
    ]);
    expect([...texts, ...SENTENCES].filter((text) => text.includes(claim.says))).not.toEqual([]);
    for (const id of claim.entries) expect(entryOf(id).id).toBe(id);
    if (prefix === 'mil' && /[a-z]{4}/.test(claim.says)) expect(claim.english).toBeDefined();
  });

  it('have a rule for every entry that suites measure, but for pictures and times of other machines', () => {
    const judged = new Set(claims.flatMap(({entries}) => entries));
    const measured = INVENTORY.map(({id}) => entryOf(id)).filter(({here}) => 'suites' in here);
    expect(measured.filter(({id}) => !judged.has(id)).map(({id}) => id)).toEqual([
      'mil-fig1a',
      'mil-fig1b',
      'mil-c-cpu68',
      'hy-fig-appendix',
    ]);
  });
});

describe('the tables beside ours', () => {
  const documentCells = (id: string): string[] =>
    (figures[id].tables ?? []).flatMap(({rows}) =>
      rows.flat().flatMap((cell) => (typeof cell === 'object' && 'document' in cell ? [cell.document] : [])),
    );

  it.for(['ms-tab-tile', 'ms-tab-naive', 'ms-tab-seq', 'ms-tab-global'])(
    '%s has the numbers of the document, row by row',
    (id) => {
      const rows = INVENTORY.find((entry) => entry.id === id)?.rows ?? [];
      expect(rows.length).toBeGreaterThan(0);
      expect(documentCells(id)).toEqual(rows.flatMap(([, ...numbers]) => numbers));
    },
  );

  it('Table 1 of CUDA-DClust has each row at its points and dimensions', () => {
    const rows = INVENTORY.find(({id}) => id === 'dc-tab1')?.rows ?? [];
    expect(rows).toHaveLength(9);
    expect(documentCells('dc-tab1')).toEqual(rows.flatMap(([, , ...numbers]) => numbers));
    const [{rows: ours}] = figures['dc-tab1'].tables ?? [];
    expect(ours.map(([n, dim]) => [n, dim])).toEqual(rows.map(([n, dim]) => [n, dim]));
    const size = (text: string): number => Number.parseFloat(text) * (text.endsWith('m') ? 1_000_000 : 1000);
    for (const [k, [n, dim]] of rows.entries()) {
      const quantity = ours[k].find((cell) => typeof cell === 'object' && 'terms' in cell);
      if (typeof quantity !== 'object' || !('terms' in quantity)) throw new Error('no quantity');
      const [{cell}] = quantity.terms;
      expect([cell.n ?? 260_000, cell.dim ?? 8]).toEqual([size(n), Number(dim)]);
    }
  });

  it('the profile of gdbscan has all its numbers', () => {
    for (const number of INVENTORY.find(({id}) => id === 'hy-tab-nvprof')?.must_print ?? []) {
      expect(documentCells('hy-tab-nvprof')).toContain(number);
    }
  });
});
