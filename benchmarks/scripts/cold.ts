// Usage: cold.ts DATASET EPS MIN_PTS [BACKEND]. Times the parts of a first run in a new process, from the import of the
// front door to the labels: where the time of a command goes beside reading and writing.
import {generateDataset} from '@epsball/datasets';

const [dataset = 'spots:n=10000,dim=2,seed=1', eps = '0.0094', minPts = '10', backend = 'auto'] = process.argv.slice(2);
const points = generateDataset(dataset);
const lines: string[] = [];
let last = performance.now();
const start = last;
const mark = (name: string): void => {
  const now = performance.now();
  lines.push(`${(now - last).toFixed(1).padStart(8)} ms  ${name}`);
  last = now;
};

const {createDbscan} = await import('@epsball/dbscan');
mark('import');
const params = {eps: Number(eps), minPts: Number(minPts)};
if (backend === 'gpu') {
  const {openGpu} = await import('@epsball/gpu');
  const gpu = await openGpu();
  mark('open the GPU');
  using dbscan = await createDbscan({algorithm: 'dense-grid', backend, gpu});
  await dbscan.run({coords: new Float32Array(points.dim), dim: points.dim}, params);
  mark('create dense-grid, and cluster one point');
  await dbscan.run(points, params);
  mark('first run');
  await dbscan.run(points, params);
  mark('second run');
} else {
  if (backend !== 'auto' && backend !== 'workers' && backend !== 'sequential') throw new Error(`backend = ${backend}`);
  using dbscan = await createDbscan({backend});
  const {algorithm, backend: used} = await dbscan.run(points, params);
  mark(`first run, ${algorithm} on ${used}`);
  await dbscan.run(points, params);
  mark('second run');
}
process.stdout.write(
  `${dataset}, ${backend}\n${lines.join('\n')}\n${(last - start).toFixed(1).padStart(8)} ms  in all\n`,
);
process.exit(0);
