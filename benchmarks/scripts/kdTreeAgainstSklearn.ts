// CPU seconds of k-nearest queries beside scikit-learn's `KDTree`: `pnpm kd-tree-against-sklearn [n] [dim] [k,k,…]`.
// Needs Python with scikit-learn (EPSBALL_PYTHON: its interpreter). Exits 1 if a k takes more than twice as long.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findPythonWithSklearn, seededRandom} from '@epsball/conformance';
import {buildKdTree, KdNearest} from '@epsball/kd-tree';
import {print} from './print.ts';

const ROUNDS = 3;
const MOST = 2;

const n = Number(process.argv[2] ?? 5000);
const dim = Number(process.argv[3] ?? 2);
const ranks = (process.argv[4] ?? '10,100,500,1000,2500').split(',').map(Number);

const PY_SCRIPT = `
import sys, time
import numpy
from sklearn.neighbors import KDTree
points = numpy.fromfile(sys.argv[1]).reshape(-1, int(sys.argv[2]))
tree = KDTree(points)
for k in sys.argv[3].split(","):
    started = time.process_time()
    distances, _ = tree.query(points, k=int(k))
    print(time.process_time() - started, (distances[:, -1] ** 2).sum())
`;

const python = findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; set EPSBALL_PYTHON');
const coords = Float64Array.from({length: n * dim}, seededRandom(7));
const tree = buildKdTree({coords, dim});
const folder = mkdtempSync(join(tmpdir(), 'kd-tree-'));
try {
  const input = join(folder, 'points.bin');
  writeFileSync(input, coords);
  print(`n = ${n}, dim = ${dim}; CPU seconds, the least of ${ROUNDS} rounds in turn`);
  const rows = ranks.map((k) => ({k, value: Infinity, list: Infinity, theirs: Infinity, sum: 0, theirSum: 0}));
  for (let round = 0; round < ROUNDS; round++) {
    for (const row of rows) {
      const nearest = new KdNearest(tree, row.k);
      row.sum = 0;
      const value = cpuSeconds(() => {
        for (let p = 0; p < n; p++) row.sum += nearest.query(tree.coords, p * dim);
      });
      const list = cpuSeconds(() => {
        for (let p = 0; p < n; p++) {
          nearest.query(tree.coords, p * dim);
          void nearest.positions;
        }
      });
      Object.assign(row, {value: Math.min(row.value, value), list: Math.min(row.list, list)});
    }
    sklearnTimes(python, input).forEach(([seconds, sum], at) => {
      rows[at].theirs = Math.min(rows[at].theirs, seconds);
      rows[at].theirSum = sum;
    });
  }
  for (const {k, value, list, theirs, sum, theirSum} of rows) {
    if (Math.abs(sum - theirSum) > 1e-9 * sum) throw new Error(`k = ${k}: other distances than scikit-learn's`);
    const ratio = list / theirs;
    const ours = `distance of the k-th ${value.toFixed(3)}, all k in order ${list.toFixed(3)}`;
    print(`k ${k}: ${ours}, scikit-learn ${theirs.toFixed(3)}: ${ratio.toFixed(2)} times`);
    if (ratio > MOST) process.exitCode = 1;
  }
} finally {
  rmSync(folder, {recursive: true});
}

/** Seconds and the sum of squared distances for each k. */
function sklearnTimes(interpreter: string, input: string): number[][] {
  const args = ['-c', PY_SCRIPT, input, `${dim}`, ranks.join(',')];
  const {stdout, stderr, status} = spawnSync(interpreter, args, {encoding: 'utf8'});
  if (status !== 0) throw new Error(`${interpreter} with scikit-learn: ${stderr}`);
  const lines = stdout.trim().split('\n');
  return lines.map((line) => line.split(' ').map(Number));
}

function cpuSeconds(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const {user, system} = process.cpuUsage(before);
  return (user + system) / 1e6;
}
