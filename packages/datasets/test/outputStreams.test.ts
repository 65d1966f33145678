import {spawn, spawnSync} from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {describe, expect, it} from 'vitest';
import type {PointSet} from '@epsball/clustering';
import {findInput, milanesi, readPoints, writeFileAtomically, writePoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const single = milanesi({n: 1000, seed: 1});
const double: PointSet = {coords: Float64Array.from(single.coords), dim: 2};

describe('a named pipe as output', () => {
  const pipe = (name: string): string => {
    spawnSync('mkfifo', [file(name)]);
    return file(name);
  };

  it.for(['.npy', '.csv', '.f64', '.h5', '.parquet', '.geojson'])(
    'receives a %s file and stays a pipe',
    async (extension) => {
      const path = pipe(`pipe${extension}`);
      const reader = readAll(path);
      await writePoints(path, double);
      // Not by bytes: HDF5 holds the time.
      const copy = file(`copy${extension}`);
      writeFileSync(copy, await reader);
      const dim = extension === '.f64' ? {dim: 2} : {};
      expect((await readPoints(copy, dim)).coords).toEqual(double.coords);
      expect(statSync(path).isFIFO()).toBe(true);
    },
  );

  it('waits for a reader until the signal fires', async () => {
    const path = pipe('lonely.csv');
    const controller = new AbortController();
    const writing = writePoints(path, single, {signal: controller.signal});
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(writing).rejects.toThrow('enough');
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it('gives nothing of a file that was not completed', async () => {
    const path = pipe('failed');
    const reader = readAll(path);
    const failing = writeFileAtomically(path, (temporary) => {
      writeFileSync(temporary, 'half of the ne');
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow(`${path}: cannot be written (disk full)`);
    writeFileSync(path, 'end');
    expect(String(await reader)).toBe('end');
  });

  it('says that the reader has gone', async () => {
    const path = pipe('cut.f64');
    const child = spawn('head', ['-c', '10', path], {stdio: 'ignore'});
    await expect(writePoints(path, milanesi({n: 100_000, seed: 1}))).rejects.toThrow('cannot be written (write EPIPE)');
    expect(child.exitCode ?? 0).toBe(0);
  });

  function readAll(path: string): Promise<Buffer> {
    const child = spawn('cat', [path], {stdio: ['ignore', 'pipe', 'inherit']});
    return buffer(child.stdout);
  }
});

describe('an open file of the process as output', () => {
  const script = (work: string): string => `
    import {writeContent} from '${new URL('../src/formats/outputFile.ts', import.meta.url).href}';
    process.stdout.write('before\\n');
    ${work}
    process.stdout.write('after\\n');`;
  const args = (work: string): string[] => ['--conditions=@epsball/source', '--input-type=module', '-e', script(work)];

  it.for(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', 'link'])('%s takes the content in its order', (path) => {
    const named = path === 'link' ? file('out.csv') : path;
    if (path === 'link') symlinkSync('/dev/stdout', named);
    const work = `await writeContent(${JSON.stringify(named)}, 'content\\n');`;
    const expected = 'before\ncontent\nafter\n';
    expect(spawnSync(process.execPath, args(work), {encoding: 'utf8'}).stdout).toBe(expected);
    // A file behind it is not replaced, and keeps what it had.
    writeFileSync(file('log.txt'), 'older\n');
    const log = openSync(file('log.txt'), 'a');
    const {ino} = statSync(file('log.txt'));
    spawnSync(process.execPath, args(work), {stdio: ['ignore', log, 'inherit']});
    closeSync(log);
    expect(readFileSync(file('log.txt'), 'utf8')).toBe(`older\n${expected}`);
    expect(statSync(file('log.txt')).ino).toBe(ino);
  });

  it('takes the content beside the standard streams too', () => {
    const other = openSync(file('third.txt'), 'w');
    const work = "await writeContent('/dev/fd/3', 'content');";
    const {stdout} = spawnSync(process.execPath, args(work), {
      stdio: ['ignore', 'pipe', 'inherit', other],
      encoding: 'utf8',
    });
    closeSync(other);
    expect(stdout).toBe('before\nafter\n');
    expect(readFileSync(file('third.txt'), 'utf8')).toBe('content');
  });
});

describe('findInput', () => {
  it('finds an input by every name', async () => {
    const folder = mkdtempSync(file('names-'));
    const at = (name: string): string => join(folder, name);
    mkdirSync(at('parts/deep'), {recursive: true});
    mkdirSync(at('other'));
    writeFileSync(at('parts/deep/a'), 'a');
    writeFileSync(at('b'), 'b');
    linkSync(at('parts/deep/a'), at('hard'));
    linkSync(at('parts/deep/a'), at('other/hard'));
    symlinkSync('parts/deep/a', at('soft'));
    symlinkSync('parts', at('linked'));
    symlinkSync('missing', at('dangling'));
    const inputs = [at('b'), at('parts/deep/a'), at('missing')];
    for (const output of ['parts/deep/a', 'hard', 'soft', 'linked/deep/a', 'parts', 'parts/deep', 'linked', 'other']) {
      expect(await findInput(at(output), inputs)).toBe(at('parts/deep/a'));
    }
    expect(await findInput(at('soft'), [at('hard')])).toBe(at('hard'));
    for (const output of ['new', 'dangling', 'no/folder/new']) {
      expect(await findInput(at(output), inputs)).toBeUndefined();
    }
    expect(await findInput(at('b'), [at('soft')])).toBeUndefined();
    // New files may go beside the input.
    expect(await findInput(at('parts/deep/new'), inputs)).toBeUndefined();
  });
});
