import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {findDifferences, writeModules} from '../src/index.ts';

const KERNELS = 'packages/alpha-kernels/src/gpu';

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

  it('is current right after generation, and generating again changes nothing', async () => {
    expect(await findDifferences(root)).toEqual([]);
    expect(await writeModules(root)).toEqual([]);
  });

  it('names a generated file as stale when a module that its kernel imports changes', async () => {
    edit('ranges.wgsl', 'WIDTH = 7u', 'WIDTH = 8u');
    const stale = {file: `${KERNELS}/reduce.wgsl.ts`, kind: 'stale'};
    expect(await findDifferences(root)).toEqual([stale]);
    expect(await writeModules(root)).toEqual([stale]);
    expect(await findDifferences(root)).toEqual([]);
  });

  it('names missing and orphaned files, and writes the one and removes the other', async () => {
    rmSync(join(root, KERNELS, 'reduce.wgsl.ts'));
    writeFileSync(join(root, KERNELS, 'gone.wgsl.ts'), 'export const goneWgsl = {} as const;\n');
    const differences = [
      {file: `${KERNELS}/gone.wgsl.ts`, kind: 'orphaned'},
      {file: `${KERNELS}/reduce.wgsl.ts`, kind: 'missing'},
    ];
    expect(await findDifferences(root)).toEqual(differences);
    await writeModules(root);
    expect(await findDifferences(root)).toEqual([]);
  });

  it('names file and line of a syntax error in the kernel', async () => {
    edit('reduce.wgsl', 'const TILE = 4u;', 'const TILE = = 4u;');
    await expect(findDifferences(root)).rejects.toThrow(`${KERNELS}/reduce.wgsl:31: `);
  });

  it('names file and line of a syntax error in an imported module', async () => {
    edit('ranges.wgsl', 'fn twice', 'fnn twice');
    await expect(findDifferences(root)).rejects.toThrow(`${KERNELS}/ranges.wgsl:7: `);
  });

  it('names file and line of a name that nothing declares, also in another package', async () => {
    const file = join(root, 'packages/beta-math/src/gpu/softFloat64.wgsl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('& MASK', '& MUSK'));
    await expect(findDifferences(root)).rejects.toThrow(/^packages\/beta-math\/src\/gpu\/softFloat64\.wgsl:20: .*MUSK/);
  });

  it('names file and line of an import that does not exist', async () => {
    edit('reduce.wgsl', 'package::gpu::ranges::twice', 'package::gpu::ranges::thrice');
    await expect(findDifferences(root)).rejects.toThrow(/^packages\/alpha-kernels\/src\/gpu\/reduce\.wgsl:\d+: /);
  });

  it('refuses an override with an id, because pipelines set overrides by name', async () => {
    edit('reduce.wgsl', 'override OP', '@id(7) override OP');
    await expect(findDifferences(root)).rejects.toThrow('override OP has @id');
  });

  it('refuses a binding that is not a buffer', async () => {
    edit('reduce.wgsl', 'var<storage, read> wides: array<Wide>', 'var wides: texture_2d<f32>');
    await expect(findDifferences(root)).rejects.toThrow('binding wides is not a buffer');
  });

  it('refuses a kernel whose file name makes no identifier', async () => {
    const from = join(root, KERNELS, 'reduce.wgsl');
    writeFileSync(join(root, KERNELS, 'reduce-all.wgsl'), readFileSync(from));
    await expect(findDifferences(root)).rejects.toThrow('file name reduce-all; expected camelCase');
  });
});
