// Compares results with hdbscan of R's package dbscan on random sets: `pnpm against-r [SETS]`, by default 400 of each
// kind. Needs Rscript with dbscan. Prints counts. Exits with 1 if the results differ where they must be equal:
// - core distances and weights of the spanning tree, sorted, to the bit, on any data
// - labels, and outlier scores to 1e-12, at minPts 2 without equal points
// - labels above 2 where neither the order of equal edges nor R's rule for small parts decides: where the oracle with
//   these two flaws returns our labels for four orders of the rows
// R numbers clusters otherwise, so labels are compared as partitions. Sets whose root does not split are left out of
// the comparison of labels and scores.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {PointSet} from '@epsball/clustering';
import {readPermuted, seededRandom} from '@epsball/conformance';
import {createHdbscanSequential, type HdbscanResult} from '@epsball/hdbscan';
import {randomHdbscanCase} from './oracle/cases.ts';
import {hdbscanOracle} from './oracle/oracle.ts';

const R_SCRIPT = `
args <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(dbscan))
input <- file(args[1], "rb"); output <- file(args[2], "wb")
for (set in seq_len(as.integer(args[3]))) {
  head <- readBin(input, "double", 3)
  n <- head[1]; dim <- head[2]; k <- head[3]
  x <- matrix(readBin(input, "double", n * dim), ncol = dim, byrow = TRUE)
  core <- coredist(x, k)
  mst <- dbscan:::prims(dbscan::mrdist(x, k, coredist = core), as.integer(n))
  found <- tryCatch(hdbscan(x, minPts = k), error = function(e) NULL)
  writeBin(c(core, sort(mst[, 3])), output)
  writeBin(c(if (is.null(found)) rep(NaN, 2 * n) else c(found$cluster, found$outlier_scores)), output)
}
close(output)
cat(as.character(packageVersion("dbscan")))
`;

interface RandomSet {
  readonly points: PointSet;
  readonly minPts: number;
  /** Whether all distances of points differ. */
  readonly isGeneral: boolean;
}

interface RAnswer {
  readonly cores: Float64Array;
  readonly weights: Float64Array;
  readonly labels: Float64Array;
  readonly scores: Float64Array;
}

const setCount = Number(process.argv[2] ?? 400);
const sets = [...generalSets(setCount), ...anySets(setCount)];
const {answers, version} = askR(sets);
using ours = createHdbscanSequential();
const counts = {
  cores: [0, 0],
  weights: [0, 0],
  'labels at minPts 2': [0, 0],
  'outlier scores at minPts 2': [0, 0],
  'labels above 2, undecided': [0, 0],
  'labels above 2, all': [0, 0],
};
const optional = new Set(['labels above 2, all']);

for (const [k, set] of sets.entries()) {
  const params = {minClusterSize: set.minPts, minSamples: set.minPts};
  compare(set, answers[k], await ours.run(set.points, params));
}
process.stdout.write(`R's dbscan ${version}, ${setCount} sets in general position, ${setCount} of any kind\n`);
let isEqual = true;
for (const [name, [equal, of]] of Object.entries(counts)) {
  process.stdout.write(`${name}: ${equal} of ${of} sets equal\n`);
  isEqual &&= equal === of || optional.has(name);
}
process.exitCode = isEqual ? 0 : 1;

function compare({points, minPts, isGeneral}: RandomSet, theirs: RAnswer, result: HdbscanResult): void {
  count('cores', isSame(theirs.cores, result.hierarchy.coreSquared.map(Math.sqrt)));
  count('weights', isSame(theirs.weights, result.hierarchy.treeSquared.map(Math.sqrt)));
  const hasSplit = result.condensedTree.parent.length > 1;
  if (!isGeneral || !hasSplit || Number.isNaN(theirs.labels[0])) return;
  const areLabelsSame = isSamePartition(theirs.labels, result.labels);
  if (minPts === 2) {
    count('labels at minPts 2', areLabelsSame);
    const isNear = result.outlierScores.every((score, i) => Math.abs(score - theirs.scores[i]) <= 1e-12);
    count('outlier scores at minPts 2', isNear);
    return;
  }
  count('labels above 2, all', areLabelsSame);
  if (isUndecided(points, minPts, result.labels)) count('labels above 2, undecided', areLabelsSame);
}

function count(name: keyof typeof counts, isEqualHere: boolean): void {
  if (isEqualHere) counts[name][0]++;
  counts[name][1]++;
}

/** Whether neither binary splits of equal edges nor small parts that stay change the labels. */
function isUndecided(points: PointSet, minPts: number, labels: Int32Array): boolean {
  const params = {minClusterSize: minPts, minSamples: minPts};
  for (let seed = 0; seed < 4; seed++) {
    const {order, moved} = readPermuted(points, seed);
    const flawed = hdbscanOracle(moved, params, {splitsInTwo: true, keepsSmallParts: true});
    if (
      !isSamePartition(
        flawed.labels,
        Int32Array.from(order, (from) => labels[from]),
      )
    )
      return false;
  }
  return true;
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  const [first, second] = [a.slice().sort(), b.slice().sort()];
  return first.length === second.length && first.every((value, k) => value === second[k]);
}

/** @param theirs  0 is noise, `labels`: −1 is noise */
function isSamePartition(theirs: ArrayLike<number>, labels: Int32Array): boolean {
  const noise = theirs instanceof Int32Array ? -1 : 0;
  const [there, here] = [new Map<number, number>(), new Map<number, number>()];
  return labels.every((label, i) => {
    if (label < 0 || theirs[i] === noise) return label < 0 && theirs[i] === noise;
    if (!here.has(label)) here.set(label, theirs[i]);
    if (!there.has(theirs[i])) there.set(theirs[i], label);
    return here.get(label) === theirs[i] && there.get(theirs[i]) === label;
  });
}

/** Blobs and uniform points in float64: no two distances are equal. */
function generalSets(length: number): RandomSet[] {
  return Array.from({length}, (_, seed) => {
    const random = seededRandom(seed);
    const [n, dim, blobs] = [20 + Math.floor(random() * 180), 1 + Math.floor(random() * 4), Math.floor(random() * 5)];
    const coords = Float64Array.from({length: n * dim}, (__, at) => {
      const center = blobs === 0 ? 0 : 7 * ((Math.floor(at / dim) * (1 + (at % dim))) % blobs);
      return center + random() + random() + random();
    });
    return {points: {coords, dim}, minPts: 2 + (seed % 2 === 0 ? 0 : 1 + Math.floor(random() * 6)), isGeneral: true};
  });
}

/** The sets of the conformance tests: lattices and duplicates among them. */
function anySets(length: number): RandomSet[] {
  const found: RandomSet[] = [];
  for (let seed = 0; found.length < length; seed++) {
    const {points, params} = randomHdbscanCase(seed, 300, 5);
    const {coords, dim} = points();
    const minPts = params.minClusterSize;
    if (coords.length / dim <= minPts + 1) continue;
    found.push({points: {coords: Float64Array.from(coords), dim}, minPts, isGeneral: false});
  }
  return found;
}

function askR(all: readonly RandomSet[]): {answers: RAnswer[]; version: string} {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-r-'));
  try {
    const [script, input, output] = ['run.R', 'sets.bin', 'answers.bin'].map((name) => join(folder, name));
    writeFileSync(script, R_SCRIPT);
    const numbers = all.flatMap(({points: {coords, dim}, minPts}) => [coords.length / dim, dim, minPts, ...coords]);
    writeFileSync(input, Float64Array.from(numbers));
    const run = spawnSync('Rscript', [script, input, output, `${all.length}`], {encoding: 'utf8'});
    if (run.status !== 0) throw new Error(`Rscript with the package dbscan: ${run.stderr || String(run.error)}`);
    const values = new Float64Array(new Uint8Array(readFileSync(output)).buffer);
    let at = 0;
    const take = (length: number): Float64Array => values.slice(at, (at += length));
    const read = all.map(({points: {coords, dim}}) => {
      const n = coords.length / dim;
      return {cores: take(n), weights: take(n - 1), labels: take(n), scores: take(n)};
    });
    return {answers: read, version: run.stdout};
  } finally {
    rmSync(folder, {recursive: true});
  }
}
