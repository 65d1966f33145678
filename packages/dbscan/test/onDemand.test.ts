import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';

/** The output of a program in its own process. */
function run(program: string): string {
  const {stdout, stderr} = spawnSync(
    process.execPath,
    ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program],
    {cwd: join(import.meta.dirname, '..'), encoding: 'utf8'},
  );
  expect(stderr).toBe('');
  return stdout;
}

/** Prints whether the module of threads is loaded. */
const SAY = `process.stdout.write(String(process.moduleLoadList.includes('NativeModule worker_threads')));`;

const POINTS = '{coords: Float32Array.of(0, 0, 0, 1, 1, 0, 9, 9), dim: 2}, {eps: 1, minPts: 3';

describe('the package', () => {
  it('loads no threads when it is imported, nor for a run on the calling thread', () => {
    expect(run(`import {dbscan} from '@epsball/dbscan'; await dbscan(${POINTS}}); ${SAY}`)).toBe('false');
  });

  it('loads threads when a run uses them, and the process then ends', () => {
    const call = `await dbscan(${POINTS}, backend: 'workers', threads: 2});`;
    const program = `import {dbscan} from '@epsball/dbscan'; ${call} ${SAY}`;
    expect(run(program)).toBe('true');
  });
});
