import {expect, it} from 'vitest';
import {DeviceTimer, findAdapter, openGpu} from '@epsball/gpu';
import {describeGpu, withGpu} from './testGpu.ts';

describeGpu('DeviceTimer', () => {
  const rig = withGpu();

  function submitPass(timer: DeviceTimer, name: string): void {
    const encoder = rig.gpu.device.createCommandEncoder();
    timer.beginPass(encoder, name).end();
    rig.gpu.device.queue.submit([encoder.finish()]);
  }

  it('reports milliseconds by name and discards them on reset', async (context) => {
    context.skip(!rig.gpu.hasTimestamps, 'the adapter has no timestamps');
    using timer = new DeviceTimer(rig.gpu, 'test');
    const start = performance.now();
    for (const name of ['core', 'clusters', 'core']) submitPass(timer, name);
    const times = await timer.read();
    const wallMs = performance.now() - start;
    expect(Object.keys(times ?? {}).toSorted()).toEqual(['clusters', 'core']);
    for (const ms of Object.values(times ?? {})) {
      expect(ms).toBeGreaterThanOrEqual(0);
      expect(ms).toBeLessThan(wallMs + 1);
    }
    timer.reset();
    expect(await timer.read()).toEqual({});
  });

  it('takes more spans than its query set if makeRoom is called', async (context) => {
    context.skip(!rig.gpu.hasTimestamps, 'the adapter has no timestamps');
    using timer = new DeviceTimer(rig.gpu, 'test');
    for (let k = 0; k < 600; k++) {
      await timer.makeRoom();
      submitPass(timer, `span ${k}`);
    }
    expect(Object.keys((await timer.read()) ?? {})).toHaveLength(600);
  });

  it('makes room for a batch of spans', async (context) => {
    context.skip(!rig.gpu.hasTimestamps, 'the adapter has no timestamps');
    using timer = new DeviceTimer(rig.gpu, 'test');
    for (let batch = 0; batch < 4; batch++) {
      await timer.makeRoom(100);
      for (let k = 0; k < 100; k++) submitPass(timer, `span ${100 * batch + k}`);
    }
    expect(Object.keys((await timer.read()) ?? {})).toHaveLength(400);
  });

  it('stops timing if it is full and makeRoom is not called', async (context) => {
    context.skip(!rig.gpu.hasTimestamps, 'the adapter has no timestamps');
    using timer = new DeviceTimer(rig.gpu, 'test');
    await rig.gpu.guard('test', async () => {
      for (let k = 0; k < 300; k++) submitPass(timer, `span ${k}`);
    });
    expect(Object.keys((await timer.read()) ?? {})).toHaveLength(256);
  });

  it('times nothing on a device without timestamps', async () => {
    const {adapter} = await findAdapter();
    const device = await adapter.requestDevice();
    const plain = await openGpu({device});
    expect(plain.hasTimestamps).toBe(false);
    using timer = new DeviceTimer(plain, 'test');
    const encoder = device.createCommandEncoder();
    timer.beginPass(encoder, 'core').end();
    device.queue.submit([encoder.finish()]);
    await timer.makeRoom();
    expect(await timer.read()).toBeUndefined();
    device.destroy();
  });
});
