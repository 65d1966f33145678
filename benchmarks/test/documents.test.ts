import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {documents, suites} from '../src/index.ts';

const ROOT = new URL('../../', import.meta.url);

/** Every table, figure, listing and claim of the four documents, word for word. */
const INVENTORY = z
  .array(
    z.object({
      id: z.string(),
      label: z.string(),
      kind: z.string(),
      claims: z.array(z.string()).default([]),
      must_print: z.array(z.string()).optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('inventory.json', import.meta.url), 'utf8')));

const ENTRIES = documents.flatMap(({entries}) => entries);

describe('the list of what the documents show', () => {
  it('has each entry of the inventory once', () => {
    expect(ENTRIES.map(({id}) => id).toSorted()).toEqual(INVENTORY.map(({id}) => id).toSorted());
  });

  it.for(INVENTORY)('prints $id as the document does', ({id, label, kind, claims, must_print}) => {
    const entry = ENTRIES.find((one) => one.id === id);
    expect(entry).toMatchObject({label, kind});
    if (must_print !== undefined) {
      expect(entry?.printed).toEqual(must_print);
      return;
    }
    for (const printed of entry?.printed ?? []) {
      expect(
        claims.filter((claim) => claim.includes(printed)),
        printed,
      ).not.toEqual([]);
    }
    expect(entry?.printed.length === 0).toBe(claims.length === 0);
  });

  it('names suites and files that exist', () => {
    const ids = suites.map((suite) => suite.id);
    for (const {id, here} of ENTRIES) {
      if ('suites' in here) expect(ids, id).toEqual(expect.arrayContaining([...here.suites]));
      if ('files' in here)
        expect(
          here.files.filter((file) => !existsSync(new URL(file, ROOT))),
          id,
        ).toEqual([]);
    }
  });

  it('names each suite that says that it reproduces something of a document', () => {
    const named = new Set(ENTRIES.flatMap(({here}) => ('suites' in here ? here.suites : [])));
    const reproducing = suites.filter(({reproduces}) => /^Reproduces (?!no figure)/.test(reproduces));
    expect(reproducing.filter(({id}) => !named.has(id)).map(({id}) => id)).toEqual(['tweets']);
  });

  it('translates what is not English', () => {
    const italian = ENTRIES.filter(
      ({id, kind, printed}) =>
        kind !== 'equation' &&
        id.startsWith('mil-') &&
        printed.some((text) => /[a-z]{5}/.test(text) && !text.includes('\\\\')),
    );
    expect(italian.filter(({english}) => english === undefined).map(({id}) => id)).toEqual([]);
  });
});
