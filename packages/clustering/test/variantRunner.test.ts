import {describe, expect, it} from 'vitest';
import {
  GpuLimitError,
  GpuUnavailableError,
  InvalidPointsError,
  WorkerFailedError,
  WorkersUnavailableError,
} from '@epsball/clustering';
import {
  defineBackend,
  defineVariant,
  VariantRunner,
  type Backend,
  type BackendEntry,
  type RunnerOptions,
  type VariantRan,
} from '@epsball/clustering/catalogue';

interface Gpu {
  readonly info: string;
  destroy(): void;
}

interface Algorithm {
  readonly on: Backend;
  destroy(): void;
}

type Outcome = VariantRan<Gpu> & {readonly ran: Backend};

/** A front door whose one variant fails on some backends. */
class Door {
  /** Errors of `create`, or of opening the GPU, by backend. */
  readonly opening: Partial<Record<Backend, Error>> = {};
  /** Errors of `run`, by backend. */
  readonly running: Partial<Record<Backend, Error>> = {};
  /** What was opened. */
  readonly opened: string[] = [];

  async run(options: RunnerOptions<Gpu> = {}, n = 100): Promise<Outcome> {
    const create = (on: Backend) => async (): Promise<Algorithm> => {
      this.opened.push(on);
      if (on !== 'gpu' && this.opening[on] !== undefined) throw this.opening[on];
      return {on, destroy: () => {}};
    };
    const backend = (on: Backend): BackendEntry<Algorithm, Gpu> =>
      defineBackend<{}, Algorithm, Gpu>({maxDim: 4, preference: 1, create: create(on)});
    const row = defineVariant<Algorithm, Gpu>({
      id: 'one',
      package: 'one',
      title: 'One',
      summary: 'One.',
      source: 'none',
      on: {sequential: backend('sequential'), workers: backend('workers'), gpu: backend('gpu')},
    });
    const openGpu = async (): Promise<Gpu> => {
      if (this.opening.gpu !== undefined) throw this.opening.gpu;
      return {info: 'a GPU', destroy: () => {}};
    };
    const runner = new VariantRunner<Algorithm, Gpu, string, object>(
      {name: 'door', catalogue: [row], gpuPaysFrom: 100, loadGpu: async () => ({openGpu})},
      options,
    );
    const run = async ({on}: Algorithm): Promise<{ran: Backend}> => {
      if (this.running[on] !== undefined) throw this.running[on];
      return {ran: on};
    };
    return runner.run(runner.choose(n, 2), {checkInput: () => {}, run});
  }
}

const NO_GPU = new GpuUnavailableError('no hardware WebGPU adapter (npm package webgpu is not installed)');
const NO_THREADS = new WorkersUnavailableError('no shared memory');

describe('backend auto', () => {
  it('takes the best backend, and says nothing of a fallback', async () => {
    const outcome = await new Door().run();
    expect(outcome).toMatchObject({ran: 'gpu', backend: 'gpu', adapter: 'a GPU'});
    expect(outcome).not.toHaveProperty('fallback');
  });

  it('takes the next one where a backend cannot be opened, and says why', async () => {
    const door = new Door();
    Object.assign(door.opening, {gpu: NO_GPU, workers: NO_THREADS});
    expect(await door.run()).toMatchObject({
      backend: 'sequential',
      fallback: [
        {algorithm: 'one', backend: 'gpu', reason: NO_GPU.message},
        {algorithm: 'one', backend: 'workers', reason: 'no shared memory'},
      ],
    });
  });

  it.each<[string, Backend, Error]>([
    ['a package that is not installed', 'workers', new Error('Cannot find package')],
    ['a device that is too small', 'gpu', new GpuLimitError('buffers', 12, 8, 'request more')],
  ])('takes the next one after %s', async (_, backend, error) => {
    const door = new Door();
    door.opening.gpu = NO_GPU;
    door.opening[backend] = error;
    const {fallback} = await door.run();
    expect(fallback?.find((one) => one.backend === backend)?.reason).toBe(error.message);
  });

  it('takes the next one where worker threads fail in a run', async () => {
    const door = new Door();
    door.opening.gpu = NO_GPU;
    door.running.workers = new WorkerFailedError('core', [0, 5], {});
    expect(await door.run()).toMatchObject({backend: 'sequential', fallback: [{backend: 'gpu'}, {backend: 'workers'}]});
  });

  it('rejects with an error that every backend would have, or that may be the caller’s', async () => {
    for (const error of [new InvalidPointsError('point 3', 3), new Error('thrown by a listener')]) {
      const door = new Door();
      door.running.gpu = error;
      await expect(door.run()).rejects.toBe(error);
      expect(door.opened).toEqual(['gpu']);
    }
  });

  it('keeps small data on the calling thread and opens nothing else', async () => {
    const door = new Door();
    expect(await door.run({}, 99)).toMatchObject({backend: 'sequential'});
    expect(door.opened).toEqual(['sequential']);
  });
});

describe('a named backend', () => {
  it.each<[Backend, RunnerOptions<Gpu>]>([
    ['gpu', {backend: 'gpu'}],
    ['gpu', {adapter: 'hardware'}],
    ['workers', {backend: 'workers'}],
  ])('rejects where it cannot be opened: %s, %j', async (backend, options) => {
    const door = new Door();
    Object.assign(door.opening, {gpu: NO_GPU, workers: NO_THREADS});
    await expect(door.run(options)).rejects.toBe(backend === 'gpu' ? NO_GPU : NO_THREADS);
  });
});
