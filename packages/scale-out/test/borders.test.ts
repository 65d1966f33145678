import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {beforeAll, describe, expect, it} from 'vitest';
import {
  createRun,
  defaultConcurrency,
  labelRanges,
  labelTiles,
  listInputs,
  nextStage,
  openRun,
  openStore,
  removeRun,
  runLocally,
  runResult,
  runTask,
  sizesFor,
  tileBytesPerPoint,
  writeRunLabels,
  type RunFiles,
} from '../src/index.ts';
import {cancelRun, listRuns, redactUrl, startWorker, submitRun} from '../src/bullmq/index.ts';
import {temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();
const input = join(folder, 'points.npy');
const right = {input, work: folder, eps: 1, minPts: 2};
let run: RunFiles;

beforeAll(async () => {
  await writePoints(input, {dim: 1, coords: Float32Array.of(1, 2, 3)});
  run = await createRun({...right, name: 'right', concurrency: 1});
  await runLocally(run);
});

/** Values that are none of the kinds that options have. */
const STRANGE: readonly unknown[] = [null, 5.5, -1, Number.NaN, Infinity, '', {}, [], true, () => 1];

/** Of them, those that a parameter takes. */
const ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  name: [],
  eps: ['5.5'],
  tile: ['{}'],
  forced: ['{}'],
  onProgress: ['() => 1'],
  onTask: ['() => 1'],
  onStage: ['() => 1'],
  onLine: ['() => 1'],
  callingThreadTile: ['{}'],
  lockMs: ['5.5'],
  signal: ['null'],
};

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'function' ? '() => 1' : String(value);
}

function strangeFor(parameter: string): readonly unknown[] {
  return STRANGE.filter((value) => !(ACCEPTED[parameter] ?? []).includes(show(value)));
}

const CREATE = ['eps', 'minPts', 'input', 'work', 'name', 'memoryBytes', 'concurrency', 'workers', 'columns'];
const CREATE_MORE = ['precision', 'dim', 'tile', 'order', 'forced'];
const LOCAL = ['concurrency', 'tile', 'callingThreadTile', 'signal', 'onProgress', 'onTask', 'onStage'];
const refusal = {name: 'InvalidParameterError', code: 'INVALID_PARAMETER'};

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return {accepted: await call()};
  } catch (error) {
    return error;
  }
}

describe('a parameter of the wrong kind is an InvalidParameterError', () => {
  it.for([...CREATE, ...CREATE_MORE])('createRun, %s', async (parameter) => {
    for (const value of strangeFor(parameter)) {
      const options = {...right, name: 'strange', [parameter]: value};
      expect(await outcomeOf(() => createRun(options)), show(value)).toMatchObject(refusal);
    }
  });

  it.for([
    ['tile', {backend: 'cuda'}],
    ['tile', {algorithm: 3}],
    ['tile', {threads: 0}],
    ['tile', {thread: 1}],
    ['forced', {capacity: 0}],
    ['forced', {rows: 3}],
    ['columns', [1, 2]],
  ] as const)('createRun, %s of %j', async ([parameter, value]) => {
    expect(await outcomeOf(() => createRun({...right, [parameter]: value}))).toMatchObject(refusal);
  });

  it.for(LOCAL)('runLocally, %s', async (parameter) => {
    for (const value of strangeFor(parameter)) {
      expect(await outcomeOf(() => runLocally(run, {[parameter]: value})), show(value)).toMatchObject(refusal);
    }
  });

  it.for(['redis', 'concurrency', 'tile', 'onLine', 'lockMs', 'signal'])('startWorker, %s', async (parameter) => {
    for (const value of strangeFor(parameter)) {
      const options = {redis: 'redis://127.0.0.1:1', signal: AbortSignal.abort(), [parameter]: value};
      expect(await outcomeOf(() => startWorker(options)), show(value)).toMatchObject(refusal);
    }
  });

  it.for(['onProgress', 'onLine', 'signal'])('submitRun, %s', async (parameter) => {
    for (const value of strangeFor(parameter)) {
      const options = {signal: AbortSignal.abort(), [parameter]: value};
      expect(await outcomeOf(() => submitRun('redis://127.0.0.1:1', run, options)), show(value)).toMatchObject(refusal);
    }
  });

  const stopped = {signal: AbortSignal.abort()};
  const calls: Readonly<Record<string, (value: never) => unknown>> = {
    createRun: (options) => createRun(options),
    defaultConcurrency: (bytes) => defaultConcurrency(Object.is(bytes, 5.5) ? Number.NaN : bytes),
    'openRun, work': (work) => openRun(work, 'right'),
    'openRun, name': (name) => openRun(folder, name),
    openStore: (url) => openStore(url),
    removeRun: (files) => removeRun(files),
    runLocally: (files) => runLocally(files),
    'runLocally, options': (options) => runLocally(run, isObject(options) ? ([] as never) : options),
    nextStage: (files) => nextStage(files),
    'runTask, run': (files) => runTask(files, {kind: 'plan', index: 0}),
    'runTask, task': (task) => runTask(run, task),
    'runTask, options': (options) =>
      runTask(run, {kind: 'plan', index: 0}, isObject(options) ? ([] as never) : options),
    'sizesFor, memory': (bytes) => sizesFor(Object.is(bytes, Infinity) ? Number.NaN : bytes, 2, 'float32'),
    'sizesFor, dim': (dim) => sizesFor(1e9, dim, 'float32'),
    'sizesFor, precision': (precision) => sizesFor(1e9, 2, precision),
    'tileBytesPerPoint, dim': (dim) => tileBytesPerPoint(dim, 'float32'),
    'tileBytesPerPoint, precision': (precision) => tileBytesPerPoint(2, precision),
    listInputs: (pattern) => listInputs(pattern),
    labelRanges: (files) => labelRanges(files).next(),
    labelTiles: (files) => labelTiles(files).next(),
    runResult: (files) => runResult(files),
    'writeRunLabels, run': (files) => writeRunLabels(files, join(folder, 'a.npy')),
    'writeRunLabels, out': (out) => writeRunLabels(run, out),
    'writeRunLabels, options': (options) =>
      writeRunLabels(run, join(folder, 'a.npy'), isObject(options) ? ([] as never) : options),
    startWorker: (options) => startWorker(options),
    'submitRun, redis': (redis) => submitRun(redis, run, stopped),
    'submitRun, run': (files) => submitRun('redis://127.0.0.1:1', files, stopped),
    'submitRun, options': (options) =>
      submitRun('redis://127.0.0.1:1', run, isObject(options) ? ([] as never) : options),
    'listRuns, redis': (redis) => listRuns(redis, stopped),
    'cancelRun, redis': (redis) => cancelRun(redis, 'right', stopped),
    'cancelRun, name': (name) => cancelRun('redis://127.0.0.1:1', name, stopped),
    redactUrl: (url) => redactUrl(url),
  };

  it.for(Object.keys(calls))('%s', async (name) => {
    for (const value of STRANGE) {
      if (value === '' && name === 'redactUrl') continue;
      expect(await outcomeOf(() => calls[name](value as never)), show(value)).toMatchObject(refusal);
    }
  });
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('a folder that cannot be made', () => {
  it.for(['/proc/epsball/work', '/proc/epsball', '/dev/null/work', join(import.meta.filename, 'work')])(
    '%s is named at once',
    async (work) => {
      const message = expect.stringContaining(`${work}/right/run.json cannot be `);
      expect(await outcomeOf(() => createRun({...right, work, name: 'right'}))).toMatchObject({
        code: 'STORE_FAILED',
        message,
      });
    },
  );
});
