// Time and memory of DBCV: `pnpm validity [CLUSTERS] [POINTS] [DIM] [THREADS]`, by default 100 Gaussian clusters of
// 5000 float32 points each in 5-D, on 2 threads; 0 is the calling thread.
import {gaussian, seededRandom} from '@epsball/conformance';
import {validity} from '@epsball/hdbscan';

const [k = 100, size = 5000, dim = 5, threads = 2] = process.argv.slice(2).map(Number);
const n = k * size;
const random = seededRandom(1);
const centers = Float64Array.from({length: k * dim}, () => 100 * random());
const labels = Int32Array.from({length: n}, (_, i) => i % k);
const coords = new Float32Array(n * dim);
for (let i = 0; i < n; i++) {
  for (let d = 0; d < dim; d++) coords[i * dim + d] = centers[labels[i] * dim + d] + gaussian(random);
}
const before = process.memoryUsage.rss();
const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
const {score} = await validity({coords, dim}, labels, threads === 0 ? {} : {threads});
const seconds = (performance.now() - startedAt) / 1000;
const cpuSeconds = process.cpuUsage(cpuBefore).user / 1e6;
const added = 1024 * process.resourceUsage().maxRSS - before;
process.stdout.write(
  `${n} points in ${k} clusters, ${dim}-D, ${threads} threads: score ${score}, ${seconds.toFixed(1)} s, ` +
    `CPU ${cpuSeconds.toFixed(1)} s, added ${(added / 1e6).toFixed(0)} MB, ${(added / n).toFixed(0)} bytes a point\n`,
);
