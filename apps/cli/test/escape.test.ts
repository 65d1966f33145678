import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {escapeHtml} from '../src/escape.ts';

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

describe('escapeHtml', () => {
  it('escapes every character that ends a text or an attribute, reversibly', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
        expect(withoutEntities(escaped)).toBe(text);
      }),
    );
  });
});
