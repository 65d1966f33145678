// Times of one thread beside the k-d tree of R's package dbscan, in turn: `pnpm against-r [n] [dim]`. Needs Rscript
// with dbscan; without it, prints our times only.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {buildKdTree, KdNearest, KdRange} from '@epsball/kd-tree';

const K = 10;
const ROUNDS = 3;

const n = Number(process.argv[2] ?? 50_000);
const dim = Number(process.argv[3] ?? 8);
const coords = blobs(n, dim);
// The median distance to the 10th neighbour: half of the points are core.
const eps = Math.sqrt(medianKth());

const R_SCRIPT = `
args <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(dbscan))
n <- as.integer(args[2]); dim <- as.integer(args[3]); eps <- as.numeric(args[4])
x <- matrix(readBin(args[1], "double", n * dim), ncol = dim, byrow = TRUE)
time <- function(run) cat(sprintf("%.0f ", 1000 * system.time(run())["elapsed"]))
time(function() kNN(x, ${K - 1}, sort = FALSE))
time(function() frNN(x, eps, sort = FALSE))
time(function() dbscan(x, eps, ${K}))
`;

const folder = mkdtempSync(join(tmpdir(), 'kd-tree-'));
try {
  const input = join(folder, 'points.bin');
  const script = join(folder, 'times.R');
  writeFileSync(input, coords);
  writeFileSync(script, R_SCRIPT);
  print(`n = ${n}, dim = ${dim}, k = ${K}, eps = ${eps}; milliseconds`);
  for (let round = 0; round < ROUNDS; round++) {
    print(ours());
    const {stdout, status} = spawnSync('Rscript', [script, input, `${n}`, `${dim}`, `${eps}`], {encoding: 'utf8'});
    const [nearest, radius, dbscan] = status === 0 ? stdout.trim().split(/\s+/) : [];
    print(`R: k nearest ${nearest}, fixed radius ${radius}, dbscan() ${dbscan}`);
  }
} finally {
  rmSync(folder, {recursive: true});
}

function ours(): string {
  const startedAt = performance.now();
  const tree = buildKdTree({coords, dim});
  const builtAt = performance.now();
  const nearest = new KdNearest(tree, K);
  for (let p = 0; p < n; p++) nearest.query(tree.coords, p * dim);
  const nearestAt = performance.now();
  const range = new KdRange(tree);
  let cores = 0;
  for (let p = 0; p < n; p++) if (range.countWithin(tree.coords, p * dim, eps * eps, K) >= K) cores++;
  const coreAt = performance.now();
  let pairs = 0;
  const found = new Int32Array(n);
  for (let p = 0; p < n; p++) pairs += range.listWithin(tree.coords, p * dim, eps * eps, found);
  const listAt = performance.now();
  const ms = [builtAt - startedAt, nearestAt - builtAt, coreAt - nearestAt, listAt - coreAt].map((t) => t.toFixed(0));
  return `epsball: build ${ms[0]}, k nearest ${ms[1]}, core test ${ms[2]} (${cores} core), lists ${ms[3]} (${pairs} pairs)`;
}

function medianKth(): number {
  const tree = buildKdTree({coords, dim});
  const nearest = new KdNearest(tree, K);
  const kth = Float64Array.from({length: Math.min(n, 2000)}, (_, s) =>
    nearest.query(tree.coords, Math.floor((s * n) / Math.min(n, 2000)) * dim),
  ).sort();
  return kth[kth.length >> 1];
}

/** Twenty Gaussian blobs in the unit cube. */
function blobs(count: number, axes: number): Float64Array {
  let state = 7;
  const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const centers = Float64Array.from({length: 20 * axes}, random);
  return Float64Array.from({length: count * axes}, (_, i) => {
    const blob = Math.floor(i / axes) % 20;
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return centers[blob * axes + (i % axes)] + 0.05 * normal;
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
