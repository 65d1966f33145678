import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {readManifest, ROOT, run} from '../../../.config/packages/run.ts';

it('a bare clone installs itself and runs the suites of one package', () => {
  const clone = mkdtempSync(join(tmpdir(), 'epsball-bare-clone-'));
  try {
    run('git', ['clone', '--quiet', ROOT, clone], tmpdir());
    // As in the README, but less of it.
    const turbo = ['exec', 'turbo', 'bench', '--filter', '@epsball/dbscan-pds', '--', '--only', 'pds', '20k'];
    const printed = run('npx', ['-y', readManifest('package.json').packageManager ?? '', ...turbo], clone);
    expect(printed).toContain('pds/sequential on tweets');
    expect(printed).toMatch(/page: .*report\.html/);
  } finally {
    rmSync(clone, {recursive: true, force: true});
  }
});
