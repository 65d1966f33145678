import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {isCurrent, makeCurrent} from '../src/index.ts';

const KERNELS = 'packages/alpha-kernels/src/gpu';
const REPOSITORY = join(import.meta.dirname, '../../..');

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wgsl-current-'));
  cpSync(join(import.meta.dirname, 'fixtures'), root, {recursive: true});
});

afterEach(() => {
  rmSync(root, {recursive: true});
});

const at = (file: string): string => join(root, KERNELS, file);

/** Changes a file, and its time by more than any file system's resolution. */
function edit(file: string, from: string, to: string): void {
  writeFileSync(at(file), readFileSync(at(file), 'utf8').replace(from, to));
  utimesSync(at(file), 1, 1);
}

describe('the modules of a workspace', () => {
  it('are current once they are made', async () => {
    expect(isCurrent(root)).toBe(false);
    await makeCurrent(root);
    expect(isCurrent(root)).toBe(true);
    expect(await makeCurrent(root)).toEqual([]);
  });

  it.for<[string, () => void]>([
    ['an imported module', () => edit('ranges.wgsl', 'WIDTH = 7u', 'WIDTH = 8u')],
    ['a generated module', () => edit('reduce.wgsl.ts', 'WIDTH', 'WIDER')],
    ['a kernel that was moved', () => cpSync(at('reduce.wgsl'), at('moved.wgsl'))],
    ['a module that was removed', () => rmSync(at('reduce.wgsl.ts'))],
  ])('are made again after a change: %s', async ([, change]) => {
    await makeCurrent(root);
    change();
    expect(isCurrent(root)).toBe(false);
    expect(await makeCurrent(root)).toHaveLength(1);
    expect(isCurrent(root)).toBe(true);
  });
});

describe('the hook', () => {
  /** Imports a kernel of the copied workspace in a process of its own, with the hook of that workspace. */
  function importKernel(): {status: number | null; stdout: string; stderr: string} {
    const tool = join(root, 'packages/wgsl-codegen');
    cpSync(join(REPOSITORY, 'packages/wgsl-codegen/src'), join(tool, 'src'), {recursive: true});
    symlinkSync(join(REPOSITORY, 'packages/wgsl-codegen/node_modules'), join(tool, 'node_modules'));
    writeFileSync(join(tool, 'package.json'), '{"type": "module"}');
    writeFileSync(
      join(root, KERNELS, 'main.ts'),
      `import {reduceWgsl} from './reduce.wgsl.ts';\nprocess.stdout.write(reduceWgsl.code);\n`,
    );
    writeFileSync(join(root, 'packages/alpha-kernels/package.json'), '{"type": "module"}');
    const args = ['--import', join(tool, 'src/hook.ts'), at('main.ts')];
    return spawnSync(process.execPath, args, {encoding: 'utf8'});
  }

  it('makes a kernel before its first import', () => {
    rmSync(at('reduce.wgsl.ts'));
    expect(importKernel()).toMatchObject({status: 0, stdout: expect.stringContaining('WIDTH0 = 7u')});
  });

  it('lets no stale kernel run', () => {
    edit('ranges.wgsl', 'WIDTH = 7u', 'WIDTH = 9u');
    expect(importKernel()).toMatchObject({status: 0, stdout: expect.stringContaining('WIDTH0 = 9u')});
  });

  it('throws where a kernel does not link', () => {
    edit('ranges.wgsl', 'fn twice', 'fnn twice');
    const {status, stderr} = importKernel();
    expect(status).toBe(1);
    expect(stderr).toContain(`${KERNELS}/ranges.wgsl:7: `);
    expect(stderr).toContain('run `pnpm generate`');
  });
});
