import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {escapeCsv, escapeMarkdown} from '../src/report/escape.ts';

/** Half of the characters are syntax in some format. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...Array.from('&<>"\'`*_[]()|~\\#+-=@!$,.;:1 \t\r\n')),
    fc.string({minLength: 1, maxLength: 1}),
  ),
});

const ENTITIES: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'"};
const withoutEntities = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name]);

describe('escapeMarkdown', () => {
  it('escapes all syntax, reversibly but for white space', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeMarkdown(text);
        const bare = escaped.replaceAll(/\\[^\p{L}\p{N}\s]/gu, '').replaceAll(/&(amp|lt|gt);/g, '');
        expect(bare).not.toMatch(/[\\`*[\]|~<>&\r\n]/);
        expect(escaped).not.toMatch(/^(#|\d+[.)]|[-+=])/);
        const shown = withoutEntities(escaped).replaceAll(/\\([^\p{L}\p{N}\s])/gu, '$1');
        expect(shown).toBe(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim());
      }),
    );
  });

  it('keeps plain words as they are', () => {
    const words = 'TILE_WIDTH at 1,000 points (±2 %); milanesi:n=1000,seed=1';
    expect(escapeMarkdown(words)).toBe(words);
  });
});

describe('escapeCsv', () => {
  it('makes a field that is not a formula to a spreadsheet and reads back as the text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const field = escapeCsv(text);
        const isQuoted = field.startsWith('"');
        const read = isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field;
        if (!isQuoted) expect(field).not.toMatch(/[",\r\n]/);
        expect(read.trimStart()).not.toMatch(/^[=+\-@]/);
        expect([text, `'${text}`]).toContain(read);
      }),
    );
  });

  it('keeps numbers, also negative ones', () => {
    expect([-1.5, 3, true, null].map(escapeCsv)).toEqual(['-1.5', '3', 'true', '']);
  });
});
