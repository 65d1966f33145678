// Draws the pictures that are kept with the baselines: benchmarks/baselines/pictures/POINTS-LABELS.png, and POINTS.png
// for the points alone. Labels are computed again, on the calling thread, and must be those of the baseline.
import {existsSync, globSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {resultFileSchema, suites} from '@epsball/benchmarks';
import {datasetHash} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {drawClusters} from '../src/report/dbscan/clusterPicture.ts';
import {drawnCells} from '../src/report/dbscan/pictures.ts';
import {hashResult} from '../src/suite/dbscan/hashResult.ts';
import {loadWorkload} from '../src/suite/dbscan/loadWorkload.ts';

const BASELINES = join(import.meta.dirname, '../../../benchmarks/baselines');
const WIDTH = 380;
/** Pictures of these suites show the points alone, too. */
const RAW = ['milanesi'];
/** Growing samples: only the largest is drawn. */
const LARGEST_ONLY = ['n', 'threads'];

const {positionals} = parseArgs({allowPositionals: true});
const files = positionals.length > 0 ? positionals : globSync(join(BASELINES, '*.json')).toSorted();
mkdirSync(join(BASELINES, 'pictures'), {recursive: true});
for (const file of files) {
  const result = resultFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const suite = suites.find(({id}) => id === result.suite);
  if (result.kind !== 'dbscan' || suite?.kind !== 'dbscan') continue;
  const run = {label: '', letter: 'A', folder: BASELINES, result};
  const cells = drawnCells({kind: 'dbscan', suite, runs: [run]}).map(({cell}) => cell);
  for (const cell of LARGEST_ONLY.includes(suite.axis) ? cells.slice(0, 1) : cells) {
    const kept = join(BASELINES, 'pictures', `${cell.datasetHash}-${cell.labelsHash}.png`);
    const raw = join(BASELINES, 'pictures', `${cell.datasetHash}.png`);
    if (existsSync(kept) && (!RAW.includes(suite.id) || existsSync(raw))) continue;
    const {dataset, n, dim, eps, minPts} = cell;
    const points = await loadWorkload({dataset, n, dim, params: {eps, minPts}, picture: true});
    if (datasetHash(points) !== cell.datasetHash) throw new Error(`${dataset}: other points than in ${file}`);
    const labelled = await dbscan(points, {eps, minPts, algorithm: 'sequential', backend: 'sequential'});
    if (hashResult(labelled) !== cell.labelsHash) throw new Error(`${dataset}: other labels than in ${file}`);
    await drawClusters(points, labelled.labels, kept, WIDTH);
    if (RAW.includes(suite.id)) await drawClusters(points, new Int32Array(n), raw, WIDTH);
    process.stdout.write(`${kept}\n`);
  }
}
