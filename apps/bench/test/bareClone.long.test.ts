import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {expect, it} from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** The environment of a new shell: without what a package manager put there. */
function shellEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([key]) => !/^(?:npm_|pnpm_|VITEST|NODE_OPTIONS$|INIT_CWD$)/i.test(key),
  );
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  return {...Object.fromEntries(kept), PATH: path.join(delimiter)};
}

it('a bare clone installs itself and runs the suites of one package', () => {
  const clone = mkdtempSync(join(tmpdir(), 'epsball-bare-clone-'));
  const run = (command: string, args: readonly string[]): {status: number | null; stdout: string} =>
    spawnSync(command, args, {cwd: clone, env: shellEnv(), encoding: 'utf8', maxBuffer: 2 ** 26});
  try {
    expect(run('git', ['clone', '--quiet', ROOT, '.']).status).toBe(0);
    const {packageManager}: {packageManager: string} = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    // As in the README, but less of it. The seconds of the quick profile would end first on a busy machine.
    const less = ['--only', 'pds', '20k', '--profile', 'full'];
    const turbo = ['exec', 'turbo', 'bench', '--filter', '@epsball/dbscan-pds', '--', ...less];
    const {status, stdout} = run('npx', ['-y', packageManager, ...turbo]);
    expect(stdout).toContain('pds/sequential on tweets');
    expect(stdout).toMatch(/page: .*report\.html/);
    expect(status).toBe(0);
  } finally {
    rmSync(clone, {recursive: true, force: true});
  }
});
