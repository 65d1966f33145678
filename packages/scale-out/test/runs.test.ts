import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pointCount, type PointSet} from '@epsball/clustering';
import {blobs, dbscanOracle} from '@epsball/conformance';
import {DatasetFormatError, readLabels, readPoints, writePoints} from '@epsball/datasets';
import {tilingFromCuts} from '../src/tiling/tiling.ts';
import {describe, expect, it} from 'vitest';
import {
  createRun,
  labelTiles,
  nextStage,
  openRun,
  openStore,
  runLocally,
  RunFiles,
  runResult,
  runTask,
  taskName,
  writeRunLabels,
  type RunOptions,
} from '../src/index.ts';
import {collect, temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const params = {eps: 0.02, minPts: 5};
const points = blobs('float64', 2, 3000, {seed: 4, clusters: 9, sigma: 0.03});
const expected = dbscanOracle(points, params);
const small = {chunkRows: 700, rangeRows: 800};

let names = 0;
/** A run of its own over `input`. */
function optionsFor(input: string, more: Partial<RunOptions> = {}): RunOptions {
  return {
    ...params,
    input,
    work: folder,
    name: `run-${names++}`,
    concurrency: 1,
    forced: {...small, capacity: 900},
    ...more,
  };
}

async function writeParts(extension: string): Promise<string> {
  const prefix = `part${extension.slice(1)}`;
  const cuts = [0, 1000, 1001, 3000];
  for (let k = 0; k < 3; k++) {
    const part = {dim: 2, coords: points.coords.slice(2 * cuts[k], 2 * cuts[k + 1])};
    await writePoints(join(folder, `${prefix}-${k}${extension}`), part);
  }
  return join(folder, `${prefix}-*${extension}`);
}

async function writeNpy(name: string, some: PointSet = points): Promise<string> {
  const path = join(folder, `${name}.npy`);
  await writePoints(path, some);
  return path;
}

describe('the labels of one run in memory come from', () => {
  it.for(['.parquet', '.npy', '.csv'])('several %s files, in the order of their names', async (extension) => {
    const files = await createRun(optionsFor(await writeParts(extension)));
    await runLocally(files);
    expect(await collect(files)).toEqual(expected);
  });

  it('chosen columns', async () => {
    const rows = Array.from({length: 3000}, (_, i) => `${points.coords[2 * i + 1]},${i},${points.coords[2 * i]}`);
    writeFileSync(join(folder, 'columns.csv'), ['b,id,a', ...rows].join('\n'));
    const files = await createRun(optionsFor(join(folder, 'columns.csv'), {columns: ['a', '0']}));
    await runLocally(files);
    expect(await collect(files)).toEqual(expected);
  });

  it.for([1, 2])('%i tasks at a time, which report the parts of their tiles', async (concurrency) => {
    const files = await createRun(optionsFor(await writeNpy(`at-once-${concurrency}`)));
    const shares = new Map<string, number[]>();
    const report = (stage: string, share: number): void => {
      shares.set(stage, [...(shares.get(stage) ?? []), share]);
    };
    await runLocally(files, {concurrency, onProgress: ({stage, done, total}) => report(stage, done / total)});
    expect(await collect(files)).toEqual(expected);
    const out = join(folder, `labels-${concurrency}`);
    await writeRunLabels(files, out, {
      concurrency,
      onProgress: ({phase, done, total}) => report(phase, done / total),
    });
    expect([...shares.keys()].slice(-2)).toEqual(['gather', 'labels']);
    for (const all of shares.values()) {
      expect(all).toEqual(all.toSorted((a, b) => a - b));
      expect([all[0], all.at(-1)]).toEqual([0, 1]);
    }
    const {tileCount} = await runResult(files);
    const partly = shares
      .get('tile')
      ?.filter((share) => Math.abs(share * tileCount - Math.round(share * tileCount)) > 0.01);
    expect(partly?.length).toBeGreaterThan(0);
  });

  it('tasks on threads and on the calling thread', async () => {
    const files = await createRun(optionsFor(await writeNpy('both')));
    await runLocally(files, {concurrency: 1, callingThreadTile: {algorithm: 'pds', backend: 'sequential'}});
    expect(await collect(files)).toEqual(expected);
  });

  it('tasks that all run twice at the same time', async () => {
    const files = await createRun(optionsFor(await writeNpy('twice')));
    for (let stage = await nextStage(files); stage !== undefined; stage = await nextStage(files)) {
      const writers = await Promise.all([files, files].map(({name}) => openRun(folder, name)));
      await Promise.all(writers.flatMap((writer) => (stage?.pending ?? []).map((task) => runTask(writer, task))));
    }
    expect(await collect(files)).toEqual(expected);
  });

  it('tiles that were too heavy at first', async () => {
    const files = await createRun(
      optionsFor(await writeNpy('heavy'), {forced: {...small, capacity: 900, tiling: tilingFromCuts(2, undefined)}}),
    );
    const rounds = new Set<number | undefined>();
    await runLocally(files, {onTask: ({round}) => rounds.add(round)});
    expect(rounds).toContain(1);
    expect(await collect(files)).toEqual(expected);
  });

  it('no points', async () => {
    const files = await createRun(optionsFor(await writeNpy('none', {dim: 2, coords: new Float32Array(0)})));
    await runLocally(files);
    expect((await collect(files)).labels).toHaveLength(0);
  });
});

describe('a run', () => {
  it('continues where it stopped, and reads no half-written file', async () => {
    const options = optionsFor(await writeNpy('stopped'));
    const stop = new AbortController();
    const first: string[] = [];
    const run = runLocally(await createRun(options), {
      signal: stop.signal,
      onTask: (task) => {
        if (first.push(taskName(task)) === 8) stop.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('aborted');
    const store = await openStore(folder);
    await store.write(`${options.name}/data/tile-0/left-behind`, [Buffer.from('half')]);
    writeFileSync(join(folder, `${options.name}/done/tile-0.json.0.partial`), '{"attempt":"left-behind"');
    const files = await createRun(options);
    const second: string[] = [];
    await runLocally(files, {onTask: (task) => second.push(taskName(task))});
    expect(second.filter((name) => first.includes(name))).toEqual([]);
    expect(await collect(files)).toEqual(expected);
  });

  it('refuses another input or other parameters under its name', async () => {
    const options = optionsFor(await writeNpy('named'));
    await createRun(options);
    await expect(createRun({...options, eps: 1})).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    await expect(
      createRun({...options, input: await writeNpy('x', {dim: 1, coords: Float32Array.of(1)})}),
    ).rejects.toMatchObject({code: 'INPUT_CHANGED'});
  });

  it.for([
    ['metric', 'cosine'],
    ['sampleWeight', new Float64Array(3000)],
    ['minpts', 3],
  ] as const)('refuses the option %s', async ([option, value]) => {
    const options = {...optionsFor(await writeNpy('refused')), [option]: value};
    await expect(createRun(options)).rejects.toThrow(`option = "${option}"`);
  });

  it('refuses an input that changes between its steps', async () => {
    const input = await writeNpy('changing');
    const files = await createRun(optionsFor(input));
    await runTask(files, {kind: 'plan', index: 0});
    const bytes = readFileSync(input);
    bytes[bytes.length - 3] ^= 1;
    writeFileSync(input, bytes);
    await expect(runLocally(files)).rejects.toMatchObject({code: 'INPUT_CHANGED'});
  });

  it('refuses the files of another version', async () => {
    const files = await createRun(optionsFor(await writeNpy('version')));
    const text = readFileSync(join(folder, files.name, 'run.json'), 'utf8');
    writeFileSync(join(folder, files.name, 'run.json'), text.replace(/"format":\d+/, '"format":99'));
    await expect(runLocally(new RunFiles(files.store, files.name))).rejects.toMatchObject({code: 'OTHER_VERSION'});
  });

  it('names the row of a coordinate that is not finite', async () => {
    const coords = points.coords.slice();
    coords[2 * 2222 + 1] = Number.NaN;
    const files = await createRun(optionsFor(await writeNpy('nan', {dim: 2, coords})));
    await expect(runLocally(files)).rejects.toThrow('point 2222 has coordinate NaN on axis 1');
  });

  it('keeps the class of an error that a thread throws', async () => {
    writeFileSync(join(folder, 'bad.csv'), 'x,y\n1,2\n3,nope\n');
    const files = await createRun(optionsFor(join(folder, 'bad.csv')));
    const run = runLocally(files, {concurrency: 2});
    await expect(run).rejects.toBeInstanceOf(DatasetFormatError);
  });

  it('names a tile that no task can hold, its points, and the way out', async () => {
    const coords = new Float64Array(4000).fill(0.5);
    const files = await createRun(optionsFor(await writeNpy('poison', {dim: 2, coords})));
    await expect(runLocally(files)).rejects.toThrow(/tile 0, .* has 2000 points .* MiB .* give more memory/);
  });

  it('needs 64 MB for each task', async () => {
    const input = await writeNpy('memory');
    await expect(createRun(optionsFor(input, {memoryBytes: 64e6 - 1}))).rejects.toThrow('memory');
    const files = await createRun(optionsFor(input, {memoryBytes: 64e6, forced: undefined}));
    await runLocally(files);
    expect(await collect(files)).toEqual(expected);
  });

  it('refuses a missing file, an unknown kind and a strange store', async () => {
    await expect(createRun(optionsFor(join(folder, 'none-*.npy')))).rejects.toThrow('input');
    writeFileSync(join(folder, 'a.h5'), 'x');
    await expect(createRun(optionsFor(join(folder, 'a.h5')))).rejects.toThrow('.parquet');
    await expect(createRun(optionsFor(await writeNpy('store'), {work: 'ftp://x'}))).rejects.toThrow('work');
  });
});

describe('the order tile', () => {
  it('gives each row once, with its label', async () => {
    const files = await createRun(optionsFor(await writeNpy('by-tile'), {order: 'tile'}));
    const kinds = new Set<string>();
    await runLocally(files, {concurrency: 2, onTask: ({kind}) => kinds.add(kind)});
    expect([...kinds]).toEqual(expect.arrayContaining(['join', 'merge', 'label']));
    expect(kinds).not.toContain('gather');
    expect(await collect(files)).toEqual(expected);
  });

  it('writes a Parquet file for each tile, with its rows', async () => {
    const files = await createRun(optionsFor(await writeNpy('tile-files'), {order: 'tile'}));
    await runLocally(files);
    const out = join(folder, 'tiles');
    await expect(writeRunLabels(files, join(folder, 'tiles.npy'))).rejects.toThrow('order');
    await writeRunLabels(files, out);
    const written = await readPoints(join(out, 'part-00001.parquet'), {columns: ['row', 'label']});
    const rows = Array.from({length: pointCount(written)}, (_, k) => written.coords.slice(2 * k, 2 * k + 2));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(([row]) => expected.labels[row])).toEqual(rows.map(([, label]) => label));
    rmSync(out, {recursive: true});
  });

  it('is another run than the order of the input', async () => {
    const options = optionsFor(await writeNpy('order'));
    const files = await createRun(options);
    await expect(createRun({...options, order: 'tile'})).rejects.toMatchObject({code: 'INPUT_CHANGED'});
    await runLocally(files);
    await expect(labelTiles(files).next()).rejects.toThrow('order');
    // @ts-expect-error -- unknown order
    await expect(createRun({...options, order: 'rows'})).rejects.toThrow('order');
  });
});

describe('writeRunLabels', () => {
  it('writes one vector, or Parquet files', async () => {
    const files = await createRun(optionsFor(await writeNpy('written')));
    await runLocally(files);
    const out = join(folder, 'labels.npy');
    await writeRunLabels(files, out);
    expect(await readLabels(out)).toEqual(expected.labels);
    const ofOne = readFileSync(out);
    await writeRunLabels(files, out, {concurrency: 3});
    expect(readFileSync(out)).toEqual(ofOne);
    await writeRunLabels(files, join(folder, 'labels'), {concurrency: 3});
    const again = await createRun({
      ...optionsFor(join(folder, 'labels/part-*.parquet'), {columns: ['label']}),
      eps: 0.5,
      minPts: 1,
    });
    await runLocally(again);
    expect((await collect(again)).clusterCount).toBe(expected.clusterCount + 1);
    rmSync(join(folder, 'labels'), {recursive: true});
  });
});
