import {describe, expect, it} from 'vitest';
import {everyStatementWgsl} from './fixtures/packages/alpha-kernels/src/gpu/everyStatement.wgsl.ts';
import {reduceWgsl} from './fixtures/packages/alpha-kernels/src/gpu/reduce.wgsl.ts';

describe('linked code', () => {
  it('keeps the names that the kernel declares and renames an import that collides with one', () => {
    expect(reduceWgsl.code).toContain('override WIDTH: u32 = 256;');
    expect(reduceWgsl.code).toContain('const WIDTH0 = 7u;');
    expect(reduceWgsl.code).toContain('a.low * WIDTH0');
  });

  it('contains overrides, structs and functions of another package, without the unused ones', () => {
    expect(reduceWgsl.code).toContain('override ROUNDS: u32 = 3u;');
    expect(reduceWgsl.code).toContain('struct Wide {');
    expect(reduceWgsl.code).toContain('fn carry(');
    expect(reduceWgsl.code).not.toContain('unusedHere');
    expect(reduceWgsl.code).not.toContain('import ');
  });

  it('keeps directives ahead of every declaration', () => {
    const beforeFirstDeclaration = reduceWgsl.code.slice(0, reduceWgsl.code.indexOf('struct Params'));
    expect(beforeFirstDeclaration).toContain('enable subgroups;');
  });

  it('keeps backticks, dollars and backslashes in a comment', () => {
    expect(reduceWgsl.code).toMatch(
      /^\/\/ Sums tiles\. The backtick ` and \$\{this\} check escaping, and so does \\n\.\n/,
    );
  });

  it('is labelled with package and path, without the gpu folder', () => {
    expect(reduceWgsl.label).toBe('alpha-kernels/reduce');
  });
});

describe('bindings and overrides', () => {
  it('are listed by group and number with access', () => {
    expect(reduceWgsl.bindings).toEqual({
      input: {group: 0, binding: 0, type: 'read-only-storage'},
      output: {group: 0, binding: 1, type: 'storage'},
      params: {group: 0, binding: 2, type: 'uniform'},
      items: {group: 0, binding: 3, type: 'storage'},
      wides: {group: 1, binding: 0, type: 'read-only-storage'},
    });
    expect(Object.keys(reduceWgsl.bindings)).toEqual(['input', 'output', 'params', 'items', 'wides']);
  });

  it('follow calls of calls and ignore a local that is named like a binding', () => {
    expect(reduceWgsl.entryPoints).toEqual({
      reduceTiles: ['input', 'output', 'params', 'wides'],
      countItems: ['items'],
    });
  });

  it('are found in every kind of statement, and not where another declaration has the name', () => {
    const {silent: _, ...used} = everyStatementWgsl.bindings;
    expect(everyStatementWgsl.entryPoints.visitAll).toEqual(Object.keys(used));
    expect(everyStatementWgsl.entryPoints.visitNone).toEqual([]);
  });

  it('include overrides in array sizes, workgroup sizes, imports and other overrides, but no unused ones', () => {
    expect(reduceWgsl.overrides).toEqual(['WIDTH', 'OP', 'LENGTH_LOG2', 'ROUNDS']);
    expect(everyStatementWgsl.overrides).toEqual(['IN_GLOBAL', 'IN_ATTRIBUTE', 'IN_DEFAULT', 'DERIVED']);
  });
});

describe('struct layouts', () => {
  it('follow the alignment rules of WGSL and spell types in the short form', () => {
    expect(reduceWgsl.structs.Params).toEqual({
      size: 112,
      fields: {
        length: {offset: 0, type: 'u32'},
        scale: {offset: 4, type: 'f32'},
        origin: {offset: 16, type: 'vec3f'},
        cells: {offset: 32, type: 'vec2u'},
        table: {offset: 48, type: 'array<vec4u, 4>'},
      },
    });
  });

  it('resolve aliases, constant array lengths, nested structs and @align', () => {
    expect(everyStatementWgsl.structs.Options).toEqual({
      size: 128,
      fields: {
        direction: {offset: 0, type: 'vec3f'},
        length: {offset: 12, type: 'u32'},
        inner: {offset: 16, type: 'Inner'},
        table: {offset: 48, type: 'array<vec4i, 2>'},
        turn: {offset: 80, type: 'mat2x2f'},
        tail: {offset: 96, type: 'u32'},
      },
    });
    expect(everyStatementWgsl.structs.Inner.fields.row).toEqual({offset: 16, type: 'vec4f'});
  });

  it('have no length for the array at the end of a storage struct', () => {
    expect(everyStatementWgsl.structs.Queue.fields.items).toEqual({offset: 4, type: 'array<u32>'});
  });
});
