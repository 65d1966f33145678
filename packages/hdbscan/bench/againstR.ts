// Times of one thread and of worker threads beside R's dbscan::hdbscan, in turn, and what the two can be compared in:
// `pnpm against-r [POINTS] [ROUNDS]`. Needs Rscript with dbscan; without it, prints our times only.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {generateDataset} from '@epsball/datasets';
import {createHdbscan, type HdbscanResult} from '@epsball/hdbscan';

const MIN_PTS = 5;

const spec = process.argv[2] ?? 'tweets:n=20000';
const rounds = Number(process.argv[3] ?? 2);

const R_SCRIPT = `
args <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(dbscan))
n <- as.integer(args[2]); dim <- as.integer(args[3])
x <- matrix(readBin(args[1], "double", n * dim), ncol = dim, byrow = TRUE)
time <- system.time(result <- hdbscan(x, minPts = ${MIN_PTS}))["elapsed"]
writeBin(c(unname(time), sort(result$hc$height), sort(kNNdist(x, ${MIN_PTS - 1}))), args[4])
`;

const points = await generateDataset(spec);
const {dim} = points;
const n = points.coords.length / dim;
const folder = mkdtempSync(join(tmpdir(), 'hdbscan-'));
try {
  writeFileSync(join(folder, 'points.bin'), new Float64Array(points.coords));
  writeFileSync(join(folder, 'run.R'), R_SCRIPT);
  print(`${spec}, minClusterSize = minSamples = ${MIN_PTS}; milliseconds`);
  for (let round = 0; round < rounds; round++) {
    const result = await runOurs('sequential');
    await runOurs('workers');
    compare(result);
  }
} finally {
  rmSync(folder, {recursive: true});
}

async function runOurs(backend: 'sequential' | 'workers'): Promise<HdbscanResult> {
  using hdbscan = await createHdbscan({backend});
  const startedAt = performance.now();
  const result = await hdbscan.run(points, {minClusterSize: MIN_PTS});
  const wall = performance.now() - startedAt;
  const phases = Object.entries(result.stats.phaseMs).map(([phase, ms]) => `${phase} ${ms.toFixed(0)}`);
  print(`epsball, ${backend}: ${wall.toFixed(0)} (${phases.join(', ')}), ${result.clusterCount} clusters`);
  return result;
}

/** R holds all pairs: 8 · n² / 2 bytes. */
function compare({coreSquared, treeSquared}: HdbscanResult): void {
  const files = ['run.R', 'points.bin', 'result.bin'].map((name) => join(folder, name));
  const args = [files[0], files[1], String(n), String(dim), files[2]];
  const {status} = spawnSync('Rscript', args, {encoding: 'utf8', stdio: ['ignore', 'ignore', 'ignore']});
  if (status !== 0) return print('R: not installed, or failed');
  const values = new Float64Array(new Uint8Array(readFileSync(files[2])).buffer);
  const heights = treeSquared.map(Math.sqrt);
  const cores = coreSquared.map(Math.sqrt).sort();
  print(`R: ${(1000 * values[0]).toFixed(0)}`);
  print(`tree weights equal to R's bits: ${countEqual(values.subarray(1, n), heights)} of ${n - 1}`);
  print(`core distances equal to R's bits: ${countEqual(values.subarray(n), cores)} of ${n}`);
}

function countEqual(a: Float64Array, b: Float64Array): number {
  let equal = 0;
  for (let k = 0; k < a.length; k++) if (a[k] === b[k]) equal++;
  return equal;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
