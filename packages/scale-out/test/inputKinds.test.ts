import {execFileSync} from 'node:child_process';
import {mkdirSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {describe, expect, it} from 'vitest';
import {createRun, nextStage, runTask, type RunFiles} from '../src/index.ts';
import {temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const EXTENSIONS = ['.npy', '.csv', '.parquet'] as const;

let names = 0;
function createFrom(input: string): Promise<RunFiles> {
  return createRun({eps: 1, minPts: 1, input, work: join(folder, 'work'), name: `run-${names++}`, concurrency: 1});
}

/** A new path, which lies alone in its folder. */
function newPath(extension: string): string {
  const own = join(folder, `own-${names++}`);
  mkdirSync(own);
  return join(own, `points${extension}`);
}

function makeFifo(extension: string): string {
  const path = newPath(extension);
  execFileSync('mkfifo', [path]);
  return path;
}

describe.skipIf(process.platform === 'win32').for(EXTENSIONS)(
  'an input %s is refused at once if it is',
  (extension) => {
    it('a named pipe, also by a pattern', async () => {
      const path = makeFifo(extension);
      await expect(createFrom(path)).rejects.toThrow(`${path}: is a named pipe; expected a regular file`);
      await expect(createFrom(join(path, `../*${extension}`))).rejects.toThrow('is a named pipe');
    });

    it('a link to a device that never ends', async () => {
      const path = newPath(extension);
      symlinkSync('/dev/zero', path);
      await expect(createFrom(path)).rejects.toThrow('is a device; expected a regular file');
    });

    it('a folder, also by a pattern', async () => {
      const path = newPath(extension);
      mkdirSync(path);
      await expect(createFrom(path)).rejects.toThrow('is a folder; expected a regular file');
      await expect(createFrom(join(path, `../*${extension}`))).rejects.toThrow('is a folder');
    });

    it('a device without an extension', async () => {
      await expect(createFrom('/dev/zero')).rejects.toThrow('expected files of one kind');
    });

    // A CSV file is read by its import only; each task that routes checks that it is unchanged.
    it.for(extension === '.csv' ? ['import', 'route'] : ['plan', 'route'])(
      'a pipe from the task %s on',
      async (kind) => {
        const path = newPath(extension);
        await writePoints(path, {coords: Float64Array.of(0, 0, 1, 1, 5, 5), dim: 2});
        const files = await createFrom(path);
        let stage = await nextStage(files);
        for (; stage !== undefined && stage.name !== kind; stage = await nextStage(files)) {
          for (const task of stage.pending) await runTask(files, task);
        }
        renameSync(path, `${path}.old`);
        execFileSync('mkfifo', [path]);
        const [task] = stage?.pending ?? [];
        await expect(runTask(files, task)).rejects.toThrow('is a named pipe; expected a regular file');
      },
    );
  },
);

describe('an input', () => {
  it('may be a link to a regular file', async () => {
    const path = newPath('.csv');
    writeFileSync(`${path}.target`, 'x,y\n1,2\n');
    symlinkSync(`${path}.target`, path);
    expect((await (await createFrom(path)).request()).inputs[0].bytes).toBe(8);
  });

  it('may not be empty', async () => {
    const path = newPath('.csv');
    writeFileSync(path, '');
    await expect(createFrom(path)).rejects.toThrow(`${path}: is empty; expected a regular file with points`);
  });
});
