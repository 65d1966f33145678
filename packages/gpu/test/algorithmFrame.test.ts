import {DestroyedError, GpuLimitError, RunAbortedError, type Progress} from '@epsball/clustering';
import {BatchLoop, BatchPace, Kernel, AlgorithmFrame, Scratch, type BatchOutcome} from '@epsball/gpu';
import {expect, it} from 'vitest';
import {probeLoopWgsl} from './probeLoop.wgsl.ts';
import {describeGpu, withGpu} from './testGpu.ts';

const {LoopState} = probeLoopWgsl.structs;

describeGpu('AlgorithmFrame', () => {
  const rig = withGpu();

  const frameOf = (outOfMemory?: string): AlgorithmFrame<'core' | 'clusters'> =>
    new AlgorithmFrame(rig.gpu, {name: 'probe', label: 'test/frame', owned: [], outOfMemory});

  it('reports host and device times by phase, counters and the peak', async () => {
    using frame = frameOf();
    const stats = await frame.run(1, {}, async (run) => {
      run.enter('core');
      using buffer = rig.gpu.createBuffer('test/held', 4096, GPUBufferUsage.STORAGE);
      run.submit('core', () => undefined);
      run.enter('clusters');
      return run.stats({held: buffer.size});
    });
    expect(Object.keys(stats.phaseMs)).toEqual(['core', 'clusters']);
    expect(stats.wallMs).toBeGreaterThan(0);
    expect(stats.counters).toEqual({held: 4096});
    expect(stats.deviceBytes).toBeGreaterThanOrEqual(4096);
    if (!rig.gpu.hasTimestamps) return;
    expect(stats.devicePhaseMs).toEqual({core: expect.any(Number)});
    expect(stats.deviceMs).toBe(stats.devicePhaseMs?.core);
  });

  it('waits for requested times that are not read', async () => {
    using frame = frameOf();
    const first = frame.run(1, {}, async (run) => {
      run.submit('core', () => undefined);
      run.askForTimes();
      throw new Error('cut short');
    });
    await expect(first).rejects.toThrow('cut short');
    const stats = await frame.run(1, {}, (run) => run.stats({}));
    expect(stats.deviceMs ?? 0).toBe(0);
  });

  it('takes a run that waits out of the queue when its signal fires', async () => {
    using frame = frameOf();
    const ended: string[] = [];
    const controller = new AbortController();
    const first = frame.run(1, {}, async (run) => {
      controller.abort(new Error('enough'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return run.stats({});
    });
    const second = frame.run(1, {signal: controller.signal}, async () => ended.push('second ran'));
    await Promise.all([
      first.then(() => ended.push('first')),
      second.catch((error: unknown) => ended.push(String(error))),
    ]);
    expect(ended).toEqual([expect.stringContaining('run aborted in start'), 'first']);
  });

  it('destroys what it owns once, and then rejects runs', async () => {
    let destroyed = 0;
    const frame = new AlgorithmFrame(rig.gpu, {
      name: 'probe',
      label: 'test/frame',
      owned: [{destroy: () => void destroyed++}],
    });
    frame.destroy();
    frame.destroy();
    expect(destroyed).toBe(1);
    await expect(frame.run(1, {}, async () => 1)).rejects.toThrow(DestroyedError);
  });

  it('rejects a run that is under way when the frame is destroyed', async () => {
    const scratch = new Scratch(rig.gpu, 'test/destroyed');
    const frame = new AlgorithmFrame(rig.gpu, {name: 'probe', label: 'test/frame', owned: [scratch]});
    const run = frame.run(1, {}, async ({gpu: {device}}) => {
      const buffer = scratch.take('words', 64);
      frame.destroy();
      const encoder = device.createCommandEncoder();
      encoder.clearBuffer(buffer);
      device.queue.submit([encoder.finish()]);
    });
    await expect(run).rejects.toThrow(DestroyedError);
  });

  it('adds advice to out-of-memory errors, and to no others', async () => {
    using frame = frameOf('fewer chains would take less');
    const outOfMemory = new GpuLimitError('device memory for probe', 1, Number.NaN, 'no room');
    const failed = frame.run(1, {}, () => Promise.reject(outOfMemory));
    await expect(failed).rejects.toThrow('fewer chains would take less');
    const refused = new GpuLimitError('points', 2, 1, 'fewer points');
    await expect(frame.run(1, {}, () => Promise.reject(refused))).rejects.toBe(refused);
  });
});

describeGpu('BatchLoop', () => {
  const rig = withGpu();

  interface Loop {
    /** Rounds until the kernel sets `isDone`; 0: it never counts. */
    readonly last: number;
    readonly inFlight?: number;
    readonly maxRounds?: number;
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: Progress<'clusters'>) => void;
    readonly look?: (state: Uint32Array, isDone: boolean) => void;
  }

  async function count({last, inFlight = 2, maxRounds = 1000, look, ...options}: Loop): Promise<BatchOutcome> {
    using frame = new AlgorithmFrame<'clusters'>(rig.gpu, {name: 'probe', label: 'test/loop', owned: []});
    using loop = new BatchLoop(rig.gpu, 'test/loop', inFlight);
    using scratch = new Scratch(rig.gpu, 'test/loop');
    const state = scratch.take('state', LoopState.size);
    const kernel = await Kernel.create(rig.gpu, probeLoopWgsl, 'countRound');
    return await frame.run(last, options, (run) => {
      rig.gpu.device.queue.writeBuffer(state, 0, Uint32Array.of(0, 0, last));
      return loop.run(run, {
        what: 'count',
        phase: 'clusters',
        state,
        layout: LoopState,
        progress: 'count',
        pace: new BatchPace(2, 8),
        maxRounds,
        record: (encoder, rounds) =>
          run.record(encoder, 'clusters', (pass) => {
            for (let k = 0; k < rounds; k++) kernel.dispatch(pass, kernel.bind({state}), [1, 1, 1]);
          }),
        look,
      });
    });
  }

  it('runs batches until the device sets isDone, with one and with more in flight', async () => {
    for (const inFlight of [1, 2, 3]) {
      for (const last of [1, 2, 3, 50]) {
        const {state, batches} = await count({last, inFlight});
        expect([...state]).toEqual([1, last, last]);
        expect(batches).toBeGreaterThanOrEqual(inFlight);
      }
    }
  });

  it('reports progress and shows each state, the last one as done', async () => {
    const reports: number[] = [];
    const looks: boolean[] = [];
    await count({
      last: 30,
      onProgress: ({done, total}) => reports.push(done / total),
      look: (_, isDone) => looks.push(isDone),
    });
    expect(reports.at(-1)).toBe(1);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
    expect(looks.indexOf(true)).toBe(looks.length - 1);
  });

  it('ends between two batches after an abort, and the next run works', async () => {
    const abort = new AbortController();
    const aborted = count({last: 500, signal: abort.signal, look: () => abort.abort()});
    await expect(aborted).rejects.toThrow(RunAbortedError);
    expect((await count({last: 5})).state[1]).toBe(5);
  });

  it('fails if the state no longer changes, and after maxRounds', async () => {
    await expect(count({last: 0})).rejects.toThrow('the count makes no progress');
    await expect(count({last: 500, maxRounds: 40})).rejects.toThrow('count not done after 40 rounds');
  });

  it('rejects with the error of `look` after all batches have ended', async () => {
    const failed = count({
      last: 100,
      look: () => {
        throw new Error('seen enough');
      },
    });
    await expect(failed).rejects.toThrow('seen enough');
    expect((await count({last: 5})).state[1]).toBe(5);
  });
});
