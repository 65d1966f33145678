// Places of GeoNames within 20 km: `dbscan` on one thread beside scikit-learn's ball_tree, in turn, in one run.
// `pnpm --filter @epsball/benchmarks compare-cities [ROUNDS]`. From degrees in memory to labels; the first round warms
// up.
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findPythonWithSklearn} from '@epsball/conformance';
import {cities} from '@epsball/datasets/cities';
import {catalogue, createDbscan} from '@epsball/dbscan';
import {startPeer} from './peer.ts';

const EPS_METRES = 20_000;
const PARAMS = {metric: 'haversine', angles: 'degrees', epsUnit: 'm', eps: EPS_METRES, minPts: 8} as const;
const rounds = Number(process.argv[2] ?? 5);

/** Latitude, longitude: `cities` has the longitude first. */
const degrees = (await cities({precision: 'float64'})).coords.map((_, k, coords) => coords[k ^ 1]);
const python = findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; set EPSBALL_PYTHON');
const folder = await mkdtemp(join(tmpdir(), 'epsball-cities-'));
try {
  const [file, out] = [join(folder, 'degrees'), join(folder, 'labels')];
  await writeFile(file, Buffer.from(degrees.buffer));
  const script = join(import.meta.dirname, 'sklearn_cities.py');
  using sklearn = await startPeer(python, [script, file, String(EPS_METRES), String(PARAMS.minPts), out]);
  const ids = catalogue.filter(({on}) => on.sequential !== undefined).map(({id}) => id);
  for (let round = 0; round < rounds; round++) {
    const theirs = await sklearn.fit();
    const expected = await readFile(out);
    process.stdout.write(`round ${round}: scikit-learn ${sklearn.version} ball_tree ${theirs.toFixed(0)} ms\n`);
    for (const algorithm of ids) {
      using dbscan = await createDbscan({algorithm, backend: 'sequential'});
      const startedAt = performance.now();
      const {labels} = await dbscan.run({coords: degrees, dim: 2}, PARAMS);
      const ms = performance.now() - startedAt;
      const equal = expected.equals(Buffer.from(labels.buffer)) ? 'equal' : 'DIFFER';
      process.stdout.write(`  ${algorithm} ${ms.toFixed(0)} ms (${(theirs / ms).toFixed(1)} times), labels ${equal}\n`);
    }
  }
} finally {
  await rm(folder, {recursive: true, force: true});
}
