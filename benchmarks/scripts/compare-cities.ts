// Places of GeoNames within 20 km: `dbscan` on one thread beside scikit-learn's ball_tree, in turn, in one run.
// `pnpm --filter @epsball/benchmarks compare-cities [ROUNDS]`. From degrees in memory to labels; the first round warms
// up.
import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {findPythonWithSklearn} from '@epsball/conformance';
import {cities} from '@epsball/datasets/cities';
import {catalogue, createDbscan} from '@epsball/dbscan';

const EPS_METRES = 20_000;
const MIN_PTS = 8;
const rounds = Number(process.argv[2] ?? 5);

/** Latitude, longitude: `cities` has the longitude first. */
const degrees = (await cities({precision: 'float64'})).coords.map((_, k, coords) => coords[k ^ 1]);
const python = findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; set EPSBALL_PYTHON');
const folder = await mkdtemp(join(tmpdir(), 'epsball-cities-'));
try {
  const [file, out] = [join(folder, 'degrees.bin'), join(folder, 'labels.bin')];
  await writeFile(file, Buffer.from(degrees.buffer));
  const script = fileURLToPath(new URL('sklearn_cities.py', import.meta.url));
  const child = spawn(python, [script, file, String(EPS_METRES), String(MIN_PTS), out], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ids = catalogue.filter(({on}) => on.sequential !== undefined).map(({id}) => id);
  const units = {metric: 'haversine', angles: 'degrees', epsUnit: 'm'} as const;
  let labels = new Int32Array(0);
  for (let round = 0; round < rounds; round++) {
    child.stdin.write('run\n');
    const theirs = Number((await lines.next()).value);
    const ours: string[] = [];
    for (const algorithm of ids) {
      using dbscan = await createDbscan({algorithm, backend: 'sequential'});
      const startedAt = performance.now();
      const result = await dbscan.run({coords: degrees, dim: 2}, {...units, eps: EPS_METRES, minPts: MIN_PTS});
      const ms = performance.now() - startedAt;
      labels = Int32Array.from(result.labels);
      ours.push(`${algorithm} ${ms.toFixed(0)} ms (${(theirs / ms).toFixed(1)} times)`);
    }
    process.stdout.write(`round ${round}: scikit-learn ball_tree ${theirs.toFixed(0)} ms; ${ours.join(', ')}\n`);
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  const bytes = await readFile(out);
  let differing = 0;
  for (let i = 0; i < labels.length; i++) if (labels[i] !== bytes.readInt32LE(4 * i)) differing++;
  process.stdout.write(`${labels.length} places, ${differing} labels differ from scikit-learn's\n`);
} finally {
  await rm(folder, {recursive: true, force: true});
}
