// Draws the pictures that are kept with the baselines: benchmarks/baselines/pictures/POINTS-LABELS.png, and POINTS.png
// for the points alone. Labels are computed again, on the calling thread, and must be those of the baseline.
import {existsSync, globSync, mkdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {resultFileSchema} from '@epsball/benchmarks';
import {datasetHash} from '@epsball/datasets';
import {dbscan} from '@epsball/dbscan';
import {drawClusters} from '../src/measure/clusterPicture.ts';
import {hashResult, loadWorkload} from '../src/measure/dbscan.ts';
import {drawnCells, isGrowing} from '../src/report/pictures.ts';

const BASELINES = join(import.meta.dirname, '../../../benchmarks/baselines');
const WIDTH = 380;
/** Pictures of these suites show the points alone, too. */
const RAW = ['milanesi'];
const {positionals} = parseArgs({allowPositionals: true});
const files = positionals.length > 0 ? positionals : globSync(join(BASELINES, '*.json')).toSorted();
mkdirSync(join(BASELINES, 'pictures'), {recursive: true});
for (const file of files) {
  const result = resultFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const cells = drawnCells({result});
  for (const cell of isGrowing(result.suite) ? cells.slice(0, 1) : cells) {
    const isRaw = RAW.includes(result.suite);
    const kept = join(BASELINES, 'pictures', `${cell.points}-${cell.labels}.png`);
    const raw = join(BASELINES, 'pictures', `${cell.points}.png`);
    if (existsSync(kept) && (!isRaw || existsSync(raw))) continue;
    const {dataset, n, params} = cell;
    const {eps, minPts} = params;
    const points = await loadWorkload(cell);
    if (datasetHash(points) !== cell.points) throw new Error(`${dataset}: other points than in ${file}`);
    const labelled = await dbscan(points, {eps, minPts, algorithm: 'sequential', backend: 'sequential'});
    if (hashResult(labelled) !== cell.labels) throw new Error(`${dataset}: other labels than in ${file}`);
    await drawClusters(points, labelled.labels, kept, WIDTH);
    if (isRaw) await drawClusters(points, new Int32Array(n), raw, WIDTH);
    process.stdout.write(`${kept}\n`);
  }
}
