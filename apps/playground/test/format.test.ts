import {describe, expect, it} from 'vitest';
import {formatOrdinal} from '../src/format.ts';

describe('formatOrdinal', () => {
  it.for([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [8, '8th'],
    [11, '11th'],
    [22, '22nd'],
    [1003, '1,003rd'],
  ] as const)('writes %d as %s', ([value, text]) => {
    expect(formatOrdinal(value)).toBe(text);
  });
});
