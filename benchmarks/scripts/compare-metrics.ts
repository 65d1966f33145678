// Compares `dbscan` with scikit-learn in every metric and weighting, on random sets and on lattices:
// `pnpm --filter @epsball/benchmarks compare-metrics 2000 [METRIC]`. Counts the sets that differ.
import {spawnSync} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {findPythonWithSklearn, seededRandom, type Random} from '@epsball/conformance';
import {createDbscan, type DbscanRequest} from '@epsball/dbscan';
import {METRICS, type Metric} from '@epsball/clustering';

const WEIGHTINGS: Readonly<Record<string, ((random: Random) => number) | undefined>> = {
  none: undefined,
  counts: (random) => Math.floor(random() * 4),
  'quarters of any sign': (random) => Math.floor(random() * 9) / 4 - 0.75,
  'random of any sign': (random) => random() * 3 - 0.75,
};

interface RandomSet {
  readonly kind: string;
  readonly n: number;
  readonly dim: number;
  readonly metric: Metric;
  readonly coords: Float64Array;
  readonly weights: Float64Array | undefined;
  readonly eps: number;
  readonly minPts: number;
}

/** A set of random points, some of them equal; or of lattice points, on which distances are at eps. */
function makeSet(metric: Metric, weighting: string, isLattice: boolean, seed: number): RandomSet {
  const random = seededRandom(seed);
  const n = 2 + Math.floor(random() * 60);
  const dim = metric === 'haversine' ? 2 : (metric === 'cosine' ? 2 : 1) + Math.floor(random() * 4);
  const rows: number[][] = [];
  for (let i = 0; i < n; i++) {
    rows.push(i > 0 && random() < 0.15 ? [...rows[Math.floor(random() * i)]] : pointOf(metric, dim, isLattice, random));
  }
  const weigh = WEIGHTINGS[weighting];
  return {
    kind: `${isLattice ? 'lattice' : 'random'}, weights ${weighting}`,
    n,
    dim,
    metric,
    coords: Float64Array.from(rows.flat()),
    weights: weigh && Float64Array.from({length: n}, () => weigh(random)),
    eps: epsOf(metric, dim, isLattice, random),
    minPts: 1 + Math.floor(random() * 5),
  };
}

function pointOf(metric: Metric, dim: number, isLattice: boolean, random: Random): number[] {
  if (metric === 'haversine') return placeOf(isLattice, random);
  const row = Array.from({length: dim}, () => (isLattice ? Math.floor(random() * 5) - 1 : random() * 4 - 1));
  return metric === 'cosine' && row.every((x) => x === 0) ? row.map((_, d) => d + 1) : row;
}

/** Radians: anywhere, near a pole, or near the date line. */
function placeOf(isLattice: boolean, random: Random): number[] {
  const degrees = (x: number): number => x * 0.017453292519943295;
  if (isLattice) return [degrees(Math.floor(random() * 13) - 6), degrees(Math.floor(random() * 13) - 6)];
  const kind = random();
  if (kind < 0.2) return [degrees(90 - random() * 3) * (random() < 0.5 ? 1 : -1), degrees(random() * 360 - 180)];
  if (kind < 0.4) return [degrees(random() * 10), degrees((180 - random() * 3) * (random() < 0.5 ? 1 : -1))];
  if (kind < 0.45) return [Math.PI / 2, degrees(random() * 360)];
  return [degrees(random() * 30), degrees(random() * 30)];
}

function epsOf(metric: Metric, dim: number, isLattice: boolean, random: Random): number {
  if (metric === 'haversine')
    return isLattice ? 0.017453292519943295 * (1 + Math.floor(random() * 2)) : 0.01 + random() / 10;
  if (metric === 'cosine')
    return isLattice ? [1 - Math.SQRT1_2, 0.2, 0.5][Math.floor(random() * 3)] : 0.002 * 10 ** (random() * 2);
  return isLattice ? 1 + Math.floor(random() * 2) : 0.2 + 0.2 * dim * random();
}

/** What the front door takes for a set. */
function requestOf({metric, eps, minPts, weights}: RandomSet): DbscanRequest {
  const units = metric === 'haversine' ? ({angles: 'radians', epsUnit: 'rad'} as const) : {};
  return {eps, minPts, metric, sampleWeight: weights, ...units};
}

interface Answers {
  /** Of all sets, one behind the other. */
  readonly labels: Int32Array;
  /** Whether no rounding may change the labels of a set. */
  readonly decided: readonly boolean[];
  readonly version: string;
}

async function labelsOfSklearn(sets: readonly RandomSet[]): Promise<Answers> {
  const python = findPythonWithSklearn();
  if (python === undefined) throw new Error('no Python with scikit-learn; set EPSBALL_PYTHON');
  const directory = await mkdtemp(join(tmpdir(), 'epsball-metrics-'));
  try {
    const lines = sets.map(({n, dim, metric, eps, minPts, weights}) =>
      JSON.stringify({n, dim, metric, eps, minPts, hasWeights: weights !== undefined}),
    );
    await writeFile(join(directory, 'sets.jsonl'), `${lines.join('\n')}\n`);
    const values = sets.flatMap(({coords, weights}) => [coords, ...(weights === undefined ? [] : [weights])]);
    await writeFile(join(directory, 'values.bin'), Buffer.concat(values.map(({buffer}) => Buffer.from(buffer))));
    const script = join(import.meta.dirname, 'sklearn_metrics.py');
    const {stdout, status, stderr} = spawnSync(python, [script, directory], {maxBuffer: 2 ** 28, encoding: 'utf8'});
    if (status !== 0) throw new Error(stderr);
    const [head, ...replies] = stdout.trim().split('\n');
    const bytes = await readFile(join(directory, 'labels.bin'));
    return {
      labels: new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
      // Neither a tie nor a close sum.
      decided: replies.map((line) => !line.includes(': true')),
      version: /"version": "([^"]*)"/.exec(head)?.[1] ?? 'unknown',
    };
  } finally {
    await rm(directory, {recursive: true, force: true});
  }
}

async function compare(runs: number, only: string | undefined): Promise<number> {
  using dbscan = await createDbscan();
  let wrong = 0;
  for (const metric of METRICS.filter((one) => only === undefined || one === only)) {
    const sets: RandomSet[] = [];
    for (const [w, weighting] of Object.keys(WEIGHTINGS).entries()) {
      for (let run = 0; run < runs; run++) sets.push(makeSet(metric, weighting, false, 1000 * run + w));
      for (let run = 0; run < runs / 5; run++) sets.push(makeSet(metric, weighting, true, 1000 * run + w + 500));
    }
    const {labels, decided, version} = await labelsOfSklearn(sets);
    const counts = new Map<string, {sets: number; decided: number; wrong: number; ties: number}>();
    let at = 0;
    for (const [k, set] of sets.entries()) {
      const {coords, dim, kind} = set;
      const ours = (await dbscan.run({coords, dim}, requestOf(set))).labels;
      const theirs = labels.subarray(at, at + set.n);
      at += set.n;
      const isEqual = ours.every((label, i) => label === theirs[i]);
      const count = counts.get(kind) ?? {sets: 0, decided: 0, wrong: 0, ties: 0};
      count.sets++;
      if (decided[k]) count.decided++;
      if (!isEqual) count[decided[k] ? 'wrong' : 'ties']++;
      counts.set(kind, count);
    }
    for (const [kind, count] of counts) {
      wrong += count.wrong;
      process.stdout.write(
        `${metric}, ${kind}: ${count.sets} sets; ${count.wrong} of ${count.decided} without a tie differ, ` +
          `${count.ties} of ${count.sets - count.decided} with a tie (scikit-learn ${version})\n`,
      );
    }
  }
  return wrong;
}

process.exitCode = (await compare(Number(process.argv[2] ?? 2000), process.argv[3])) === 0 ? 0 : 1;
