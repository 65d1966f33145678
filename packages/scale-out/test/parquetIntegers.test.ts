import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {writeLabels} from '@epsball/datasets';
import {expect, it, onTestFinished} from 'vitest';
import {createRun, runLocally, runResult, type RunResult} from '../src/index.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'epsball-integers-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  return folder;
}

function writeColumn(path: string, x: BigInt64Array): Promise<void> {
  return writeLabels(path, new Int32Array(x.length), undefined, {columns: {x}});
}

async function clusterColumn(path: string): Promise<RunResult> {
  const run = await createRun({input: path, columns: ['x'], eps: 0.5, minPts: 1, work: temporaryFolder()});
  await runLocally(run);
  return runResult(run);
}

it('integers below 2^53 in magnitude are exact', async () => {
  const most = 2n ** 53n - 1n;
  const path = join(temporaryFolder(), 'x.parquet');
  await writeColumn(path, BigInt64Array.of(-most, 1n - most, most - 1n, most, most));
  expect(await clusterColumn(path)).toMatchObject({rowCount: 5, clusterCount: 4});
});

it.for([-(2n ** 53n) - 1n, 2n ** 60n])('%s is refused with its row', async (value) => {
  const path = join(temporaryFolder(), 'x.parquet');
  await writeColumn(path, BigInt64Array.of(1n, value, 1n));
  await expect(clusterColumn(path)).rejects.toThrow(
    `row 1: x = ${value}; expected integers below 2^53 in magnitude, which float64 holds`,
  );
});

it('a name with the signs of patterns is the file of that name', async () => {
  const folder = temporaryFolder();
  // Each of the first matches the one after it as a pattern.
  const names = ['a[1].parquet', 'a1.parquet', 'b*.parquet', 'bc.parquet', 'd?.parquet', 'de.parquet', '[[]].parquet'];
  for (const [k, name] of names.entries()) await writeColumn(join(folder, name), new BigInt64Array(k + 1));
  for (const [k, name] of names.entries()) {
    expect(await clusterColumn(join(folder, name)), name).toMatchObject({rowCount: k + 1});
  }
});
