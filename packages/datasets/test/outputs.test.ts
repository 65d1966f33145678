import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  checkWritable,
  DatasetWriteError,
  milanesi,
  readPoints,
  writeFileAtomically,
  writeLabels,
  writePoints,
} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();
const single = milanesi({n: 1000, seed: 1});

describe('atomic writing', () => {
  it('leaves the old file unchanged, and no temporary file, if writing fails', async () => {
    const folder = file('atomic');
    mkdirSync(folder);
    const path = join(folder, 'a.npy');
    writeFileSync(path, 'old');
    const failing = writeFileAtomically(path, (temporary) => {
      writeFileSync(temporary, 'half of the ne');
      throw new Error('disk full');
    });
    await expect(failing).rejects.toThrow(`${path}: cannot be written (disk full)`);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.npy']);
  });

  it('replaces the old file after a complete write', async () => {
    writeFileSync(file('old.npy'), 'old');
    await writePoints(file('old.npy'), single);
    expect(await readPoints(file('old.npy'))).toEqual(single);
  });

  it('writes through a symbolic link', async () => {
    writeFileSync(file('target.npy'), 'old');
    symlinkSync(file('target.npy'), file('link.npy'));
    await writePoints(file('link.npy'), single);
    expect(await readPoints(file('target.npy'))).toEqual(single);
  });

  it.for(['.npy', '.csv', '.f64', '.h5', '.parquet'])(
    'leaves nothing of a %s file after an abort',
    async (extension) => {
      const path = file(`aborted${extension}`);
      writeFileSync(path, 'old');
      const before = readdirSync(file('.'));
      const signal = AbortSignal.abort(new Error('enough'));
      await expect(writePoints(path, single, {signal})).rejects.toThrow('enough');
      expect(readdirSync(file('.'))).toEqual(before);
      expect(readFileSync(path, 'utf8')).toBe('old');
    },
  );

  it.for(['.npy', '.csv', '.f32', '.h5', '.parquet'])('reports why a %s file cannot be written', async (extension) => {
    const inMissingFolder = join(file('no-such-folder'), `a${extension}`);
    const failure: unknown = await writePoints(inMissingFolder, single).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DatasetWriteError);
    expect(String(failure)).toContain(`${inMissingFolder}: cannot be written (`);
    expect(String(failure)).not.toContain('\n');
    mkdirSync(file(`taken${extension}`));
    await expect(writePoints(file(`taken${extension}`), single)).rejects.toThrow(
      'it is a folder; expected a regular file',
    );
    expect(existsSync(file(`taken${extension}`))).toBe(true);
  });
});

describe('the mode of a written file', () => {
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it.for(['.npy', '.csv', '.f32', '.h5', '.parquet'])('%s keeps the mode of the old file', async (extension) => {
    for (const mode of [0o600, 0o640, 0o666]) {
      const path = file(`mode${extension}`);
      writeFileSync(path, 'old');
      chmodSync(path, mode);
      await writePoints(path, single);
      expect(modeOf(path)).toBe(mode);
    }
  });

  it('is 0600 for the temporary file until the content is complete', async () => {
    writeFileSync(file('secret'), 'old', {mode: 0o640});
    await writeFileAtomically(file('secret'), (temporary) => expect(modeOf(temporary)).toBe(0o600));
    expect(modeOf(file('secret'))).toBe(0o640);
  });

  it('is the usual one for a new file', async () => {
    writeFileSync(file('usual'), '');
    await writeLabels(file('new.npy'), new Int32Array(1));
    expect(modeOf(file('new.npy'))).toBe(modeOf(file('usual')));
  });
});

describe('a symbolic link as output', () => {
  it('whose target does not exist stays, and its target is written', async () => {
    const folder = mkdtempSync(file('links-'));
    mkdirSync(join(folder, 'real', 'deep'), {recursive: true});
    symlinkSync(join(folder, 'real', 'deep'), join(folder, 'short'));
    // Through a linked folder, `..` is the parent of the folder behind it.
    symlinkSync('short/../target.npy', join(folder, 'second.npy'));
    symlinkSync('second.npy', join(folder, 'first.npy'));
    await checkWritable(join(folder, 'first.npy'));
    await writeLabels(join(folder, 'first.npy'), new Int32Array(3));
    expect(readlinkSync(join(folder, 'first.npy'))).toBe('second.npy');
    expect(lstatSync(join(folder, 'second.npy')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(folder, 'real')).toSorted()).toEqual(['deep', 'target.npy']);
  });

  it('into a folder that does not exist is an error', async () => {
    symlinkSync(file('missing/target.npy'), file('astray.npy'));
    await expect(writeLabels(file('astray.npy'), new Int32Array(3))).rejects.toThrow(
      'astray.npy: cannot be written (ENOENT',
    );
  });

  it('to itself is an error', async () => {
    symlinkSync('loop.npy', file('loop.npy'));
    await expect(writeLabels(file('loop.npy'), new Int32Array(3))).rejects.toThrow('cannot be written (ELOOP');
  });
});

describe('checkWritable', () => {
  it('accepts new and old files and leaves the folder as it was', async () => {
    const folder = mkdtempSync(file('check-'));
    writeFileSync(join(folder, 'old.npy'), 'old');
    await checkWritable(join(folder, 'old.npy'));
    await checkWritable(join(folder, 'new.npy'));
    await checkWritable(join(folder, `${'long'.repeat(60)}.npy`));
    expect(readdirSync(folder)).toEqual(['old.npy']);
    expect(readFileSync(join(folder, 'old.npy'), 'utf8')).toBe('old');
  });

  it('finds a missing folder, a file as folder, a folder and a device, and takes a pipe', async () => {
    const refusal = async (path: string): Promise<string> => {
      const error: unknown = await checkWritable(path).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(DatasetWriteError);
      return (error as DatasetWriteError).message.slice(path.length);
    };
    expect(await refusal(file('no/a.npy'))).toBe(': cannot be written (ENOENT: no such file or directory)');
    writeFileSync(file('plain'), '');
    expect(await refusal(file('plain/a.npy'))).toBe(': cannot be written (ENOTDIR: not a directory)');
    mkdirSync(file('a.npy'));
    expect(await refusal(file('a.npy'))).toBe(': cannot be written (it is a folder; expected a regular file)');
    expect(await refusal('/dev/null')).toBe(': cannot be written (it is a device; expected a regular file)');
    symlinkSync('/dev/full', file('full.npy'));
    expect(await refusal(file('full.npy'))).toBe(': cannot be written (it is a device; expected a regular file)');
    spawnSync('mkfifo', [file('pipe.npy')]);
    await checkWritable(file('pipe.npy'));
    expect(await refusal('/proc/a.npy')).toContain(': cannot be written (');
  });

  it('finds a folder and a file that the user may not write to', async () => {
    const folder = mkdtempSync(file('shut-'));
    writeFileSync(join(folder, 'old.npy'), 'old', {mode: 0o444});
    chmodSync(folder, 0o555);
    chmodSync(join(folder, '..'), 0o755);
    const open = mkdtempSync(file('open-'));
    writeFileSync(join(open, 'old.npy'), 'old');
    chmodSync(join(open, 'old.npy'), 0o444);
    chmodSync(open, 0o777);
    // The superuser may write anywhere, so the check runs as another user.
    const other = process.getuid?.() === 0 ? {uid: 65534, gid: 65534} : {};
    const module = new URL('../src/formats/outputFile.ts', import.meta.url).href;
    const script = `import {checkWritable, writeFileAtomically} from '${module}';
      for (const path of process.argv.slice(1)) {
        for (const work of [checkWritable, writeFileAtomically]) {
          await work(path, () => {}).then(() => console.log('written'), (error) => console.log(error.code, error.message));
        }
      }`;
    const paths = [join(folder, 'new.npy'), join(folder, 'old.npy'), join(open, 'old.npy')];
    const args = ['--conditions=@epsball/source', '--input-type=module', '-e', script, ...paths];
    const {stdout, stderr} = spawnSync(process.execPath, args, {...other, encoding: 'utf8', cwd: '/'});
    const expected = paths.map((path) =>
      `DATASET_WRITE ${path}: cannot be written (EACCES: permission denied)\n`.repeat(2),
    );
    expect(`${stdout}${stderr}`).toBe(expected.join(''));
    expect(readdirSync(open).map((name) => basename(name))).toEqual(['old.npy']);
  });
});
