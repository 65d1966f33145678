import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {readPoints, writePoints} from '@epsball/datasets';
import {beforeAll, describe, expect, it} from 'vitest';
import {createRun, runLocally, writeRunLabels, type RunFiles} from '../src/index.ts';
import {checkLabelOutput} from '../src/labelOutput.ts';
import {temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const large = blobs('float64', 2, 3000, {seed: 4, clusters: 9, sigma: 0.03});
const small = {coords: large.coords.slice(0, 2 * 900), dim: 2};
const PARTS = ['part-00000.parquet', 'part-00001.parquet', 'part-00002.parquet'];

let names = 0;
/** A finished run that writes a part for each 1000 rows. */
async function finishedRun(input: string): Promise<RunFiles> {
  const forced = {chunkRows: 1000, rangeRows: 1000};
  const options = {...params, work: join(folder, 'work'), name: `run-${names++}`, concurrency: 1, forced};
  const files = await createRun({...options, input});
  await runLocally(files);
  return files;
}

/** A path that does not exist yet. */
function newOut(): string {
  return join(folder, `out-${names++}`);
}

describe('a folder of labels', () => {
  let ofLarge: RunFiles;
  let ofSmall: RunFiles;

  beforeAll(async () => {
    await writePoints(join(folder, 'large.npy'), large);
    await writePoints(join(folder, 'small.npy'), small);
    ofLarge = await finishedRun(join(folder, 'large.npy'));
    ofSmall = await finishedRun(join(folder, 'small.npy'));
  });

  it('is replaced as a whole by that of a smaller run, and of a larger one', async () => {
    const out = newOut();
    await writeRunLabels(ofLarge, out);
    expect(readdirSync(out).sort()).toEqual(PARTS);
    await writeRunLabels(ofSmall, out);
    expect(readdirSync(out)).toEqual(PARTS.slice(0, 1));
    const {coords} = await readPoints(join(out, PARTS[0]), {columns: ['label']});
    expect(Int32Array.from(coords)).toEqual(dbscanOracle(small, params).labels);
    await writeRunLabels(ofLarge, out);
    expect(readdirSync(out).sort()).toEqual(PARTS);
  });

  it.for(['README.md', 'labels.parquet', 'part-1.parquet', '.hidden', 'part-00000.parquet.bak'])(
    'that holds a file of its own, %s, is refused and left alone',
    async (name) => {
      const out = newOut();
      await writeRunLabels(ofLarge, out);
      writeFileSync(join(out, name), 'own');
      const refusal = `out = "${out}"; expected an empty folder, or the labels of an earlier run alone; it has ${name}`;
      await expect(checkLabelOutput(out, await ofSmall.request())).rejects.toThrow(refusal);
      await expect(writeRunLabels(ofSmall, out)).rejects.toThrow(refusal);
      expect(readdirSync(out).sort()).toEqual([...PARTS, name].sort());
    },
  );

  it('is refused if a part is a folder or a link', async () => {
    for (const make of [mkdirSync, (path: string) => symlinkSync(join(folder, 'large.npy'), path)]) {
      const out = newOut();
      mkdirSync(out);
      make(join(out, PARTS[1]));
      await expect(writeRunLabels(ofSmall, out)).rejects.toThrow(`it has ${PARTS[1]}`);
    }
  });

  it('is refused if it is a file', async () => {
    const out = newOut();
    writeFileSync(out, 'own');
    await expect(checkLabelOutput(out, await ofSmall.request())).rejects.toThrow(`out = "${out}"; expected a folder`);
    await expect(writeRunLabels(ofSmall, out)).rejects.toThrow('expected a folder');
    expect(readFileSync(out, 'utf8')).toBe('own');
  });

  it.for(['as it is', 'by a link'])('is refused if the input lies in it, named %s', async (way) => {
    const data = newOut();
    mkdirSync(data);
    await writePoints(join(data, PARTS[0]), small);
    const bytes = readFileSync(join(data, PARTS[0]));
    const out = way === 'by a link' ? newOut() : data;
    if (out !== data) symlinkSync(data, out);
    const files = await finishedRun(join(data, 'part-*.parquet'));
    await expect(checkLabelOutput(out, await files.request())).rejects.toThrow(
      `a folder without the input ${join(data, PARTS[0])}`,
    );
    await expect(writeRunLabels(files, out)).rejects.toThrow('a folder without the input');
    expect(readFileSync(join(data, PARTS[0])).equals(bytes)).toBe(true);
  });

  it('stays a link, and keeps its mode', async () => {
    const [target, out] = [newOut(), newOut()];
    mkdirSync(target);
    chmodSync(target, 0o750);
    symlinkSync(target, out);
    await writeRunLabels(ofLarge, out);
    await writeRunLabels(ofSmall, out);
    expect(lstatSync(out).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o750);
    expect(readdirSync(target)).toEqual(PARTS.slice(0, 1));
  });

  it('keeps the older labels if the new ones cannot be written, and loses what a killed process left', async () => {
    const out = newOut();
    await writeRunLabels(ofLarge, out);
    mkdirSync(join(out, '.0123abcd.partial'));
    writeFileSync(join(out, '.0123abcd.partial', PARTS[0]), 'half');
    const broken = await finishedRun(join(folder, 'small.npy'));
    await broken.store.remove(`${broken.name}/data`);
    await expect(writeRunLabels(broken, out)).rejects.toThrow('gather-0');
    expect(readdirSync(out).sort()).toEqual(PARTS);
    expect((await readPoints(join(out, PARTS[0]), {columns: ['label']})).coords).toHaveLength(1000);
  });

  it.runIf(process.platform === 'linux')('cannot be below /proc', async () => {
    await expect(writeRunLabels(ofSmall, '/proc/none/labels')).rejects.toThrow('/proc/none/labels: cannot be written');
  });

  it('is not looked at for a file of labels', async () => {
    await checkLabelOutput(join(folder, 'labels.npy'), await ofSmall.request());
  });

  it("a user's own files with the names of parts stay", async () => {
    const out = join(folder, 'own');
    mkdirSync(out);
    await writePoints(join(out, PARTS[0]), blobs('float64', 2, 10, {seed: 1, clusters: 1, sigma: 0.1}));
    const before = readFileSync(join(out, PARTS[0]));
    const message = `the labels of an earlier run alone; ${PARTS[0]} has other columns`;
    await expect(checkLabelOutput(out, await ofSmall.request())).rejects.toThrow(message);
    await expect(writeRunLabels(ofSmall, out)).rejects.toThrow(message);
    expect(readFileSync(join(out, PARTS[0]))).toEqual(before);
  });

  it('a link to nothing is refused before the run', async () => {
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    await expect(checkLabelOutput(join(folder, 'link'), await ofSmall.request())).rejects.toThrow('no link to nothing');
  });
});
