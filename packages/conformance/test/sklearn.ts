import {execFile} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {expectedResult, type DbscanCase} from '@epsball/conformance';

/** Comparison of scikit-learn's result for a case with the oracle's. */
export interface SklearnComparison {
  readonly testCase: DbscanCase;
  readonly outcome: 'equal' | 'differs' | 'cannot-run';
  /** The first difference, or scikit-learn's error message. Empty if the results are equal. */
  readonly detail: string;
}

/**
 * Runs every case through `sklearn.cluster.DBSCAN(eps, min_samples=minPts, algorithm='kd_tree')` in one
 * Python process, and compares labels and core mask with the oracle, byte by byte.
 *
 * @returns one row per case, in order, and the version of scikit-learn
 */
export async function compareWithSklearn(
  cases: readonly DbscanCase[],
  python: string,
): Promise<{version: string; rows: SklearnComparison[]}> {
  const directory = await mkdtemp(join(tmpdir(), 'epsball-sklearn-'));
  try {
    await dumpCases(directory, cases);
    const script = fileURLToPath(new URL('sklearn_labels.py', import.meta.url));
    const {stdout} = await promisify(execFile)(python, [script, directory], {maxBuffer: 2 ** 26});
    const [head, ...lines] = stdout.trim().split('\n');
    const {version} = parseReply(head);
    const errors = lines.map((line) => parseReply(line).error);
    const rows: SklearnComparison[] = [];
    for (const [id, testCase] of cases.entries()) {
      rows.push(await compareCase(directory, id, testCase, errors[id]));
    }
    return {version: version ?? 'unknown', rows};
  } finally {
    await rm(directory, {recursive: true, force: true});
  }
}

/** Parameters of all cases, and the coordinates of each as bytes. */
async function dumpCases(directory: string, cases: readonly DbscanCase[]): Promise<void> {
  const lines: string[] = [];
  for (const [id, {params, points}] of cases.entries()) {
    const {coords, dim} = points();
    const bytes = Uint8Array.from(new Uint8Array(coords.buffer, coords.byteOffset, coords.byteLength));
    await writeFile(join(directory, `${id}.coords`), bytes);
    lines.push(JSON.stringify({id, ...params, dim, dtype: coords instanceof Float32Array ? '<f4' : '<f8'}));
  }
  await writeFile(join(directory, 'cases.jsonl'), `${lines.join('\n')}\n`);
}

function parseReply(line: string): {version?: string; error?: string | null} {
  const reply: unknown = JSON.parse(line);
  if (typeof reply !== 'object' || reply === null) throw new Error(`unexpected reply: ${line}`);
  return reply;
}

async function compareCase(
  directory: string,
  id: number,
  testCase: DbscanCase,
  error: string | null | undefined,
): Promise<SklearnComparison> {
  if (error !== null) return {testCase, outcome: 'cannot-run', detail: error ?? 'no answer'};
  const expected = expectedResult(testCase);
  const labels = await readFile(join(directory, `${id}.labels`));
  const core = await readFile(join(directory, `${id}.core`));
  for (let i = 0; i < expected.labels.length; i++) {
    const label = labels.readInt32LE(4 * i);
    if (core[i] !== expected.coreMask[i] || label !== expected.labels[i]) {
      const detail = `point ${i}: label ${label}, core ${core[i]}; oracle: label ${expected.labels[i]}, core ${expected.coreMask[i]}`;
      return {testCase, outcome: 'differs', detail};
    }
  }
  const isWhole = labels.length === 4 * expected.labels.length && core.length === expected.coreMask.length;
  return isWhole ? {testCase, outcome: 'equal', detail: ''} : {testCase, outcome: 'differs', detail: 'wrong length'};
}
