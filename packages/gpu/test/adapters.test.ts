import {execFile} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {GpuUnavailableError, InvalidParameterError} from '@epsball/clustering';
import {ADAPTER_VARIABLE, findAdapter, listAdapters, openGpu} from '@epsball/gpu';
import {describeGpu, whyNot} from './testGpu.ts';

describe('the choice of an adapter', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('rejects an unknown name in the environment and lists the known ones', async () => {
    vi.stubEnv(ADAPTER_VARIABLE, 'fastest');
    await expect(openGpu()).rejects.toBeInstanceOf(InvalidParameterError);
    await expect(openGpu()).rejects.toThrow(
      'adapter = "fastest"; expected one of auto, hardware, software, system-software, bundled',
    );
    await expect(listAdapters()).rejects.toBeInstanceOf(InvalidParameterError);
  });

  it('prefers the option of the caller to the environment', async () => {
    vi.stubEnv(ADAPTER_VARIABLE, 'fastest');
    const reports = await listAdapters('hardware');
    expect(reports.map(({kind}) => kind)).toEqual(['hardware', 'system-software', 'bundled']);
  });

  it('ignores an empty variable', async () => {
    vi.stubEnv(ADAPTER_VARIABLE, '');
    expect((await listAdapters()).filter(({chosen}) => chosen).length).toBeLessThanOrEqual(1);
  });

  it('reports every kind with a reason, and the one that openGpu would open', async () => {
    for (const choice of ['auto', 'hardware', 'software', 'system-software', 'bundled'] as const) {
      const reports = await listAdapters(choice);
      const chosen = reports.find((report) => report.chosen);
      const opened = await findAdapter(choice).catch((error: unknown) => error);
      if (chosen) expect(opened).toMatchObject({kind: chosen.kind});
      else expect(opened).toBeInstanceOf(GpuUnavailableError);
      for (const report of reports) {
        expect(report.reason).not.toBe('');
        expect(report.info === null).toBe(report.error !== null);
      }
    }
  });

  it('lists what was tried if there is no adapter', async () => {
    const hardware = await listAdapters('hardware');
    if (hardware.some(({chosen}) => chosen)) return;
    await expect(findAdapter('hardware')).rejects.toThrow(/^no hardware WebGPU adapter \(hardware: /);
  });
});

describeGpu('an open device', () => {
  it('has the limits of the adapter, not the defaults', async () => {
    const {adapter} = await findAdapter();
    using gpu = await openGpu();
    expect(gpu.device.limits.maxBufferSize).toBe(adapter.limits.maxBufferSize);
    expect(gpu.info.limits.maxStorageBuffersPerShaderStage).toBe(adapter.limits.maxStorageBuffersPerShaderStage);
    expect(Object.keys(gpu.info.limits)).toContain('maxComputeInvocationsPerWorkgroup');
  });
});

const missing = await whyNot('bundled');

describe.skipIf(missing !== undefined)(
  `the bundled adapter${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let folder = '';
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'epsball-gpu-'));
    });
    afterEach(() => rmSync(folder, {recursive: true}));

    /** Opens the adapter in a separate process with its own cache, and returns its kind and description. */
    async function openElsewhere(env: NodeJS.ProcessEnv): Promise<{kind: string; description: string}> {
      const {stdout} = await promisify(execFile)(
        process.execPath,
        ['--conditions=@epsball/source', join(import.meta.dirname, 'reportAdapter.ts')],
        {env: {...process.env, XDG_CACHE_HOME: folder, ...env}},
      );
      return JSON.parse(stdout);
    }

    it('opens if the Vulkan variables name missing files', async () => {
      const nowhere = join(folder, 'nowhere.json');
      const env = {VK_DRIVER_FILES: nowhere, VK_ICD_FILENAMES: nowhere};
      const forced = await openElsewhere({...env, [ADAPTER_VARIABLE]: 'bundled'});
      expect(forced).toMatchObject({kind: 'bundled', description: expect.stringContaining('SwiftShader')});
      // The bundled adapter is also the last choice if no driver of the machine is found.
      expect(await openElsewhere({...env, [ADAPTER_VARIABLE]: 'software'})).toEqual(forced);
    });

    it('is unpacked correctly by processes that start at the same time', async () => {
      const env = {[ADAPTER_VARIABLE]: 'bundled'};
      const opened = await Promise.all([openElsewhere(env), openElsewhere(env), openElsewhere(env)]);
      expect(new Set(opened.map(({kind}) => kind))).toEqual(new Set(['bundled']));
      const [home, ...others] = readdirSync(join(folder, 'epsball'));
      expect(others).toEqual([]);
      expect(readdirSync(join(folder, 'epsball', home)).toSorted()).toEqual([
        'libvk_swiftshader.so',
        'libvulkan.so.1',
        'vk_swiftshader_icd.json',
      ]);
    });

    it('is unpacked elsewhere if the cache is not writable', async () => {
      const opened = await openElsewhere({
        [ADAPTER_VARIABLE]: 'bundled',
        XDG_CACHE_HOME: join(import.meta.dirname, 'reportAdapter.ts'),
        TMPDIR: folder,
      });
      expect(opened.kind).toBe('bundled');
      expect(readdirSync(folder)).toHaveLength(1);
    });

    it('does not change the environment', async () => {
      const before = {...process.env};
      await findAdapter('bundled');
      expect({...process.env}).toEqual(before);
    });
  },
);
