import {readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {spawnSync} from 'node:child_process';

/** Hides npm webgpu, as if only `@epsball/gpu` were installed. */
const HIDE = `
  import {registerHooks} from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier !== 'webgpu') return next(specifier, context);
      throw Object.assign(new Error('Cannot find package'), {code: 'ERR_MODULE_NOT_FOUND'});
    },
  });`;

const OPEN = `
  import {openGpu} from '@epsball/gpu';
  await openGpu({adapter: 'bundled'}).catch((error) => console.log(error.code + ' ' + error.message));`;

describe('without npm webgpu', () => {
  it('the error names the line that installs the version of the peer', () => {
    const {peerDependencies} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    const [major, minor] = peerDependencies.webgpu.replace('^', '').split('.');
    const hide = `--import=data:text/javascript,${encodeURIComponent(HIDE)}`;
    const args = ['--conditions=@epsball/source', hide, '--input-type=module', '--eval', OPEN];
    const {stdout, stderr} = spawnSync(process.execPath, args, {encoding: 'utf8', cwd: import.meta.dirname});
    expect(stderr).toBe('');
    expect(stdout).toContain('GPU_UNAVAILABLE ');
    expect(stdout).toContain(`npm package webgpu is not installed; npm install webgpu@${major}.${minor}`);
  });
});
