import type {DbscanParams} from '@epsball/clustering';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {TileClusterer} from '../src/clusterTile.ts';
import {clusterOnCaller, TileService} from '../src/tileService.ts';
import type {RunPlan} from '../src/run.ts';

/** A GPU, with memory for some tiles at a time. */
class FakeGpu {
  memory = 2;
  atWork = 0;
  begun = 0;
  most = 0;
  readonly used = new Set<TileClusterer>();

  /** A clusterer whose labels are the coordinates. */
  clusterer(): TileClusterer {
    const one = new TileClusterer();
    one.hold = () => () => undefined;
    one.by = () => async (points) => {
      this.used.add(one);
      this.begun++;
      this.most = Math.max(this.most, ++this.atWork);
      await nextTurn();
      const fits = this.atWork <= this.memory;
      await nextTurn();
      this.atWork--;
      if (!fits) throw new RangeError('no memory');
      const labels = Int32Array.of(points.coords[0]);
      return {points, local: {labels, coreMask: new Uint8Array(1), clusterCount: 1}};
    };
    return one;
  }
}

/** So many points that no thread would take less time for a tile. */
const SIZE = 1e6;
const params: DbscanParams = {eps: 1, minPts: 1};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a channel reads of a plan
const plan = {capacity: 1, dim: 1} as RunPlan;

const NOTHING = {coreMask: new Uint8Array(1), clusterCount: 1};

/** The label of each tile, or −1 where it failed. */
async function clusterAll(service: TileService, count: number): Promise<number[]> {
  const channels = Array.from({length: count}, () => service.open(plan));
  const answers = channels.map(async ({port}, tile) => {
    const points = {coords: new Float32Array(SIZE).fill(tile), dim: 1};
    const cluster = clusterOnCaller(port, () =>
      Promise.resolve({points, local: {...NOTHING, labels: Int32Array.of(tile)}}),
    );
    const {local} = await cluster(points, params);
    return local.labels[0];
  });
  const settled = await Promise.allSettled(answers);
  for (const channel of channels) channel.close();
  return settled.map((answer) => (answer.status === 'fulfilled' ? answer.value : -1));
}

describe('the tiles of threads on a GPU', () => {
  let gpu: FakeGpu;
  let service: TileService;
  beforeEach(() => {
    gpu = new FakeGpu();
    service = new TileService({backend: 'gpu', algorithm: 'auto'}, undefined, [gpu.clusterer(), gpu.clusterer()]);
  });
  afterEach(() => service.destroy());

  it('are clustered two at a time', async () => {
    expect(await clusterAll(service, 2)).toEqual([0, 1]);
    expect(gpu.most).toBe(2);
  });

  it('open one device if they come one at a time', async () => {
    for (let k = 0; k < 3; k++) expect(await clusterAll(service, 1)).toEqual([0]);
    expect(gpu.used.size).toBe(1);
  });

  it('are clustered one at a time if the GPU has no memory for two', async () => {
    gpu.memory = 1;
    expect(await clusterAll(service, 2)).toEqual([0, 1]);
    gpu.most = 0;
    for (let k = 0; k < 3; k++) expect(await clusterAll(service, 2)).toEqual([0, 1]);
    expect(gpu.most).toBeLessThan(2);
  });

  it('are not begun again after an abort', async () => {
    const stop = new AbortController();
    gpu.memory = 0;
    gpu.begun = 0;
    const aborted = new TileService({backend: 'gpu', algorithm: 'auto'}, stop.signal, [
      gpu.clusterer(),
      gpu.clusterer(),
    ]);
    const ended = clusterAll(aborted, 1);
    stop.abort();
    expect(await ended).toEqual([-1]);
    expect(gpu.begun).toBe(1);
  });

  it('fail if they do not fit alone', async () => {
    gpu.memory = 0;
    expect(await clusterAll(service, 3)).toEqual([-1, -1, -1]);
    expect(await clusterAll(service, 1)).toEqual([-1]);
  });
});
