// Usage: waves.ts [THREADS,…] [WAVES]. Compares what a wave costs beside its tasks: waves of empty tasks with arrays
// like those of a PDSDBSCAN run, on this pool and as bare piscina tasks, one a thread, in turn. Prints the median wall
// time of a wave in microseconds.
import {cpus} from 'node:os';
import {Piscina} from 'piscina';
import {taskModule, WorkerPool} from '@epsball/workers';
import type * as emptyTasks from './emptyTasks.ts';

const [, , threadList = '1,2,4,8,16', waveCount = '200'] = process.argv;
const WARM_UPS = 100;

const tasks = taskModule<typeof emptyTasks>(import.meta.url, 'emptyTasks');
const input = {
  arrays: Array.from({length: 8}, () => new Int32Array(new SharedArrayBuffer(4096))),
  geometry: {origin: Float64Array.of(0, 0), cellCounts: Float64Array.of(1000, 1000), eps: 0.01},
};

/** Runs one wave. */
type RunWave = () => Promise<unknown>;

process.stdout.write(`${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}\n`);
for (const threads of threadList.split(',').map(Number)) {
  using pool = new WorkerPool({threads});
  const bounds = Array.from({length: threads + 1}, (_, k) => k);
  const piscina = new Piscina({filename: tasks.url, name: 'nothing', minThreads: threads, maxThreads: threads});
  const subjects: [string, RunWave][] = [
    ['this pool', () => pool.wave(tasks, 'nothing', {phase: 'empty', input, bounds})],
    ['piscina', () => Promise.all(bounds.slice(1).map((end) => piscina.run({...input, end})))],
  ];
  const columns = (await measure(subjects)).map(({name, micros}) => `${name} ${micros.toFixed(0)} µs`);
  process.stdout.write(`${threads} threads: ${columns.join(', ')}\n`);
  await piscina.destroy();
}

async function measure(subjects: readonly [string, RunWave][]): Promise<{name: string; micros: number}[]> {
  const taken = subjects.map(([name]) => ({name, micros: [] as number[]}));
  for (let wave = 0; wave < WARM_UPS + Number(waveCount); wave++) {
    for (const [k, [, run]] of subjects.entries()) {
      const startedAt = performance.now();
      await run();
      if (wave >= WARM_UPS) taken[k].micros.push(1000 * (performance.now() - startedAt));
    }
  }
  return taken.map(({name, micros}) => ({name, micros: median(micros)}));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
