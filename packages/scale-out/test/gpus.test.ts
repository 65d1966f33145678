import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {execFileSync, spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {writePoints} from '@epsball/datasets';
import {describe, expect, it, onTestFinished} from 'vitest';
import {startWorker, submitRun} from '../src/bullmq/index.ts';
import {
  clusterOnGpus,
  createRun,
  hostGpus,
  runLocally,
  runResult,
  writeRunLabels,
  type GpuPlace,
  type RunFiles,
  type StageTimes,
} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';
import {childrenOf, HAS_REDIS, isAlive, TestRedis, until} from './services.ts';

const folder = temporaryFolder('memory');
const params = {eps: 0.02, minPts: 5};
const points = blobs('float32', 2, 3000, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);
/** Two unlike adapters stand for two GPUs. */
const GPUS: readonly GpuPlace[] = ['system-software', 'bundled'].map((kind) => ({env: {EPSBALL_ADAPTER: kind}}));

async function runOf(name: string): Promise<RunFiles> {
  const input = join(folder, 'points.npy');
  await writePoints(input, points);
  const forced = {chunkRows: 700, rangeRows: 800, capacity: 700};
  return createRun({...params, input, work: folder, name, concurrency: 2, forced});
}

/** The file of its labels. */
async function bytesOf(run: RunFiles, concurrency: number): Promise<Buffer> {
  const out = join(folder, `${run.name}.npy`);
  await writeRunLabels(run, out, {concurrency});
  return readFileSync(out);
}

describe('a process for each of two GPUs', () => {
  it('gives points in memory the labels of one run, and ends its processes', async () => {
    const seen = new Set<number>();
    const onProgress = (): void => gpuProcesses().forEach((pid) => seen.add(pid));
    const {tileCount, ...result} = await clusterOnGpus(points, {...params, gpus: GPUS, concurrency: 2, onProgress});
    expect(result).toEqual(expected);
    expect(tileCount).toBe(2);
    expect(seen.size).toBe(2);
    expect([...seen].filter(isAlive)).toEqual([]);
  });

  it('gives files the same labels if a process is killed in its tile', async () => {
    const whole = await runOf('whole');
    await runLocally(whole);
    const run = await runOf('killed');
    const stages: StageTimes[] = [];
    const done = runLocally(run, {gpus: GPUS, concurrency: 4, onStage: (times) => stages.push(times)});
    await until(async () => hasTask(await run.doneTasks(), 'balance'), 'the tiles');
    const [first] = gpuProcesses();
    await until(() => hasDevice(first), 'a device');
    expect(hasTask(await run.doneTasks(), 'tile')).toBe(false);
    process.kill(first, 'SIGKILL');
    await done;
    expect(gpuProcesses()).toEqual([]);
    expect(await collect(run)).toEqual(expected);
    expect(await bytesOf(run, 2)).toEqual(await bytesOf(whole, 1));
    const tiles = stages.find(({stage}) => stage === 'tile');
    expect(tiles?.tasks).toBe((await runResult(run)).tileCount);
    expect(tiles?.callingThreadBusyMs).toBeGreaterThan(0);
  });

  it('says how a process ends that ends each time', async () => {
    const run = await runOf('dead');
    const gpus = [{command: [process.execPath, '-e', 'process.exit(7)', '--']}];
    await expect(runLocally(run, {gpus})).rejects.toThrow('the process of a GPU ended 3 times in plan-0 (exit code 7)');
    await expect(runLocally(run, {gpus: [{command: ['/nowhere/to/run']}]})).rejects.toThrow('ENOENT');
  });

  it('ends the processes when the signal fires', async () => {
    const run = await runOf('aborted');
    const stop = new AbortController();
    const done = runLocally(run, {gpus: GPUS, signal: stop.signal, onTask: () => stop.abort()});
    await expect(done).rejects.toThrow('aborted');
    expect(gpuProcesses()).toEqual([]);
  });

  it.for([0, 1])('clusters %i points', async (n) => {
    const some = {coords: points.coords.subarray(0, 2 * n), dim: 2};
    const {labels, coreMask, clusterCount} = await clusterOnGpus(some, {...params, gpus: GPUS, concurrency: 2});
    expect({labels, coreMask, clusterCount}).toEqual(dbscanOracle(some, params));
  });

  it('gives the task of each GPU its memory, with more GPUs than tasks at a time', async () => {
    const gpus = Array.from({length: 32}, () => GPUS[0]);
    const {labels} = await clusterOnGpus({coords: Float32Array.of(0, 0), dim: 2}, {...params, gpus, concurrency: 1});
    expect(labels).toEqual(Int32Array.of(-1));
  });

  it('names the row of a coordinate that is not finite', async () => {
    const bad = {coords: Float32Array.of(0, 0, 1, NaN), dim: 2};
    await expect(clusterOnGpus(bad, {...params, gpus: GPUS})).rejects.toThrow('point 1 has coordinate NaN on axis 1');
  });
});

describe.skipIf(!HAS_REDIS)('a worker with a process for each of two GPUs', () => {
  it('gives the labels of one run if a process is killed in its tile', async () => {
    const redis = await TestRedis.start(mkdtempSync(join(folder, 'redis-')));
    const worker = await startWorker({redis: redis.url, gpus: GPUS, lockMs: 2000});
    onTestFinished(async () => {
      await worker.close(true);
      await redis.stop();
    });
    const run = await runOf('workers');
    const done = submitRun(redis.url, run);
    let device: number | undefined;
    const findDevice = (): boolean => (device = processesOf('bullmq').find(hasDevice)) !== undefined;
    await until(findDevice, 'a device');
    process.kill(device ?? 0, 'SIGKILL');
    await done;
    expect(await collect(run)).toEqual(expected);
  });
});

describe('the GPUs of a host', () => {
  const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

  function devices(name: string, count: number): string {
    const dev = join(folder, name);
    mkdirSync(dev);
    for (let k = 0; k < count; k++) writeFileSync(join(dev, `nvidia${k}`), `device ${k}`);
    writeFileSync(join(dev, 'nvidiactl'), 'control');
    return dev;
  }

  it('needs no namespace for one', async () => {
    expect(await hostGpus('all', devices('none', 0))).toEqual([{}]);
    expect(await hostGpus('all', devices('one', 1))).toEqual([{}]);
    await expect(hostGpus(2, join(folder, 'none'))).rejects.toThrow('only NVIDIA GPUs can be told apart');
    await expect(hostGpus(0)).rejects.toThrow('gpus = 0; expected an integer ≥ 1');
  });

  it.skipIf(!mayMount)('hides all device files but one from each process', async () => {
    const dev = devices('many', 11);
    const places = await hostGpus('all', dev);
    expect(places).toHaveLength(11);
    const names = Array.from({length: 11}, (_, k) => join(dev, `nvidia${k}`));
    for (const [k, {command = []}] of places.entries()) {
      const [program, ...words] = [...command, 'cat', ...names, join(dev, 'nvidiactl')];
      expect(execFileSync(program, words, {encoding: 'utf8'})).toBe(`device ${k}control`);
    }
    expect(await hostGpus(2, dev)).toHaveLength(2);
    await expect(hostGpus(12, dev)).rejects.toThrow('gpus = 12; expected at most 11 on this host');
  });
});

function hasTask(names: ReadonlySet<string>, kind: string): boolean {
  return [...names].some((name) => name.startsWith(`${kind}-`));
}

/** Process ids of the processes of GPUs that this one has started. */
function gpuProcesses(): number[] {
  return processesOf('gpuProcess.');
}

/** Process ids of the children whose command line has a word. */
function processesOf(word: string): number[] {
  const isOurs = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
  return childrenOf(process.pid).filter((pid) => isAlive(pid) && isOurs(pid));
}

/** Whether a process has loaded a driver: it has a tile. */
function hasDevice(pid: number): boolean {
  return /vulkan|swiftshader/.test(readFileSync(`/proc/${pid}/maps`, 'utf8'));
}
