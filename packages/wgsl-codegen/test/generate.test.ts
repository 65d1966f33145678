import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {writeModules} from '../src/index.ts';

const KERNELS = 'packages/alpha-kernels/src/gpu';

const PROBE = `import package::gpu::ranges::twice;

@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(1)
fn probe() {
  words[0] = twice(words[0]);
}
`;

describe('a workspace of kernels', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'wgsl-codegen-'));
    cpSync(join(import.meta.dirname, 'fixtures'), root, {recursive: true});
  });

  afterEach(() => {
    rmSync(root, {recursive: true});
  });

  function edit(file: string, from: string, to: string): void {
    const path = join(root, KERNELS, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }

  it('is current after generation, and generating again changes nothing', async () => {
    expect(await writeModules(root)).toEqual([]);
  });

  it('names a generated file as stale when a module that its kernel imports changes', async () => {
    edit('ranges.wgsl', 'WIDTH = 7u', 'WIDTH = 8u');
    const stale = {file: `${KERNELS}/reduce.wgsl.ts`, kind: 'stale'};
    expect(await writeModules(root)).toEqual([stale]);
    expect(await writeModules(root)).toEqual([]);
  });

  it('writes a published module as a string, with its imports and bindings', async () => {
    const lines = ['// @published', 'import package::gpu::ranges::twice;', ''];
    lines.push('@group(0) @binding(5) var<storage, read> counts: array<u32>;', '');
    lines.push('fn twiceOf(k: u32) -> u32 { return twice(counts[k]); }', '');
    writeFileSync(join(root, KERNELS, 'shared.wgsl'), lines.join('\n'));
    expect(await writeModules(root)).toEqual([{file: `${KERNELS}/shared.wgsl.ts`, kind: 'missing'}]);
    const text = readFileSync(join(root, KERNELS, 'shared.wgsl.ts'), 'utf8');
    expect(text).toContain('export const sharedModule = {');
    expect(text).toContain('fn twice(');
    expect(text).not.toContain('import ');
    expect(text).toContain("counts: {group: 0, binding: 5, type: 'read-only-storage'}");
    // Without the mark it is only a module for imports.
    writeFileSync(join(root, KERNELS, 'shared.wgsl'), lines.slice(1).join('\n'));
    expect(await writeModules(root)).toEqual([{file: `${KERNELS}/shared.wgsl.ts`, kind: 'orphaned'}]);
  });

  it('names missing and orphaned files, writes the missing and removes the orphaned', async () => {
    rmSync(join(root, KERNELS, 'reduce.wgsl.ts'));
    writeFileSync(join(root, KERNELS, 'gone.wgsl.ts'), 'export const goneWgsl = {} as const;\n');
    const differences = [
      {file: `${KERNELS}/gone.wgsl.ts`, kind: 'orphaned'},
      {file: `${KERNELS}/reduce.wgsl.ts`, kind: 'missing'},
    ];
    expect(await writeModules(root)).toEqual(differences);
    expect(await writeModules(root)).toEqual([]);
  });

  it('generates a kernel below test beside it, linked with modules of src and of other packages', async () => {
    const folder = join(root, 'packages/alpha-kernels/test/gpu');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'probe.wgsl'), PROBE);
    const file = 'packages/alpha-kernels/test/gpu/probe.wgsl.ts';
    expect(await writeModules(root)).toEqual([{file, kind: 'missing'}]);
    const text = readFileSync(join(root, file), 'utf8');
    expect(text).toContain("label: 'alpha-kernels/test/gpu/probe'");
    expect(text).toContain('fn twice(');
    expect(await writeModules(root)).toEqual([]);
    rmSync(join(folder, 'probe.wgsl'));
    expect(await writeModules(root)).toEqual([{file, kind: 'orphaned'}]);
  });

  it('names file and line of an unknown name in a kernel below test', async () => {
    mkdirSync(join(root, 'packages/alpha-kernels/test'));
    writeFileSync(join(root, 'packages/alpha-kernels/test/probe.wgsl'), PROBE.replace('= twice(', '= thrice('));
    await expect(writeModules(root)).rejects.toThrow(/^packages\/alpha-kernels\/test\/probe\.wgsl:7: .*thrice/);
  });

  it('lets no package import a kernel from the tests of another package', async () => {
    mkdirSync(join(root, 'packages/beta-math/test'));
    writeFileSync(join(root, 'packages/beta-math/test/private.wgsl'), 'fn twice(a: u32) -> u32 { return 2u * a; }\n');
    edit('reduce.wgsl', 'package::gpu::ranges::twice', 'beta_math::test::private::twice');
    await expect(writeModules(root)).rejects.toThrow(`${KERNELS}/reduce.wgsl:`);
  });

  it('ignores fixtures of tests', async () => {
    const folder = join(root, 'packages/alpha-kernels/test/fixtures/packages/x/src');
    mkdirSync(folder, {recursive: true});
    writeFileSync(join(folder, 'probe.wgsl'), PROBE);
    writeFileSync(join(folder, 'other.wgsl.ts'), '');
    expect(await writeModules(root)).toEqual([]);
  });

  it('names file and line of a syntax error in the kernel', async () => {
    edit('reduce.wgsl', 'const TILE = 4u;', 'const TILE = = 4u;');
    await expect(writeModules(root)).rejects.toThrow(`${KERNELS}/reduce.wgsl:31: `);
  });

  it('names file and line of a syntax error in an imported module', async () => {
    edit('ranges.wgsl', 'fn twice', 'fnn twice');
    await expect(writeModules(root)).rejects.toThrow(`${KERNELS}/ranges.wgsl:7: `);
  });

  it('names file and line of an undeclared name, also in another package', async () => {
    const file = join(root, 'packages/beta-math/src/gpu/softFloat64.wgsl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('& MASK', '& MUSK'));
    await expect(writeModules(root)).rejects.toThrow(/^packages\/beta-math\/src\/gpu\/softFloat64\.wgsl:20: .*MUSK/);
  });

  it('names file and line of an import that does not exist', async () => {
    edit('reduce.wgsl', 'package::gpu::ranges::twice', 'package::gpu::ranges::thrice');
    await expect(writeModules(root)).rejects.toThrow(/^packages\/alpha-kernels\/src\/gpu\/reduce\.wgsl:\d+: /);
  });

  it('refuses an override with an id, because pipelines set overrides by name', async () => {
    edit('reduce.wgsl', 'override OP', '@id(7) override OP');
    await expect(writeModules(root)).rejects.toThrow('override OP has @id');
  });

  it('refuses a binding that is not a buffer', async () => {
    edit('reduce.wgsl', 'var<storage, read> wides: array<Wide>', 'var wides: texture_2d<f32>');
    await expect(writeModules(root)).rejects.toThrow('binding wides is not a buffer');
  });

  it('refuses two variables at one binding, and names both places', async () => {
    edit('reduce.wgsl', '@group(0) @binding(3) var', '@group(0) @binding(1) var');
    await expect(writeModules(root)).rejects.toThrow(
      `${KERNELS}/reduce.wgsl:23: bindings output and items share @group(0) @binding(1); ` +
        `each needs a number of its own (${KERNELS}/reduce.wgsl:22)`,
    );
  });

  it('refuses a variable at the binding of one that the kernel imports', async () => {
    const shared =
      '@group(0) @binding(0) var<storage, read> table: array<u32>;\nfn first() -> u32 { return table[0]; }\n';
    writeFileSync(join(root, 'packages/beta-math/src/gpu/table.wgsl'), shared);
    edit('reduce.wgsl', 'import package', 'import beta_math::gpu::table::first;\nimport package');
    edit('reduce.wgsl', 'return loadRaw(i);', 'return loadRaw(i) + first();');
    await expect(writeModules(root)).rejects.toThrow(
      /^packages\/beta-math\/src\/gpu\/table\.wgsl:1: bindings input and table share .*reduce\.wgsl:22\)$/,
    );
  });

  it('writes the layouts of structs that a module binds, and no code', async () => {
    const file = 'packages/beta-math/src/gpu/state.wgsl';
    const source = 'struct State { count: u32, sums: vec2u }\n@group(0) @binding(9) var<uniform> state: State;\n';
    writeFileSync(join(root, file), source);
    expect(await writeModules(root)).toEqual([{file: `${file}.ts`, kind: 'missing'}]);
    expect(readFileSync(join(root, `${file}.ts`), 'utf8')).toBe(
      '// Generated by `pnpm generate` from state.wgsl. Do not edit.\n' +
        'export const stateStructs = {\n' +
        "  State: {size: 16, fields: {count: {offset: 0, type: 'u32'}, sums: {offset: 8, type: 'vec2u'}}},\n" +
        '} as const;\n',
    );
  });

  it('refuses a kernel whose file name is not an identifier', async () => {
    const from = join(root, KERNELS, 'reduce.wgsl');
    writeFileSync(join(root, KERNELS, 'reduce-all.wgsl'), readFileSync(from));
    await expect(writeModules(root)).rejects.toThrow('file name reduce-all; expected camelCase');
  });
});
