import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

/** Opens a GPU under Node's permission model. Returns the message of the error. */
function messageUnder(flags: readonly string[], adapter: string): string {
  const program = `
    import {openGpu} from '@epsball/gpu';
    const opened = openGpu({adapter: '${adapter}'});
    process.stdout.write(await opened.then(() => 'opened', ({name, message}) => name + ': ' + message));`;
  const {VK_DRIVER_FILES: _1, VK_ICD_FILENAMES: _2, VK_ADD_DRIVER_FILES: _3, EPSBALL_ADAPTER: _4, ...env} = process.env;
  const args = ['--permission', ...flags, '--no-warnings', '--conditions=@epsball/source', '--input-type=module'];
  return spawnSync(process.execPath, [...args, '--eval', program], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    env: {...env, XDG_CONFIG_HOME: '/no-such-folder'},
  }).stdout;
}

describe("Node's permission model", () => {
  it.each(['hardware', 'system-software', 'bundled'])('is named if it refuses addons: %s', (adapter) => {
    expect(messageUnder(['--allow-fs-read=*'], adapter)).toBe(
      `GpuUnavailableError: no ${adapter} WebGPU adapter (${adapter}: ` +
        "Node's permission model refuses the native addon of npm package webgpu; expected the flag --allow-addons)",
    );
  });

  it('is named with the folder if it refuses to look for drivers', () => {
    expect(messageUnder([`--allow-fs-read=${ROOT}`, '--allow-addons'], 'system-software')).toContain(
      "Node's permission model refuses to read /no-such-folder/vulkan/icd.d; " +
        'expected the flag --allow-fs-read=/no-such-folder/vulkan/icd.d',
    );
  });
});
