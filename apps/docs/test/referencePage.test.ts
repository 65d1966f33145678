import {describe, expect, it} from 'vitest';
import {forReaders} from '../scripts/referencePage.ts';

describe('a page of the reference', () => {
  it('has the name that a program imports, and links to the README', () => {
    const text = forReaders('# union-find/src/gpu\n\n## Type Aliases\n');
    expect(text).toBe(
      '# @epsball/union-find/gpu\n\nExamples, limits and figures are in the [README](/packages/union-find).\n\n## Types\n',
    );
    expect(forReaders('- [dbscan/src](dbscan/src.md)')).toBe('- [@epsball/dbscan](dbscan/src.md)');
  });

  it('has the errors of a function under one heading', () => {
    const throws = (error: string): string => `#### Throws\n\n${error}\n\n`;
    const text = `${throws('InvalidParameterError  if `eps`\n          is 0')}${throws('GpuLimitError,\n  RunAbortedError')}***\n\n${throws('Error')}`;
    expect(forReaders(text)).toBe(
      '#### Throws\n\n- `InvalidParameterError` if `eps` is 0\n\n- `GpuLimitError`, `RunAbortedError`\n\n***\n\n#### Throws\n\n- `Error`\n\n',
    );
  });
});
