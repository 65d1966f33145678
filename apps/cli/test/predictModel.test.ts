import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {runEpsball} from './runEpsball.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-model-'));
  writeFileSync(join(folder, 'points.csv'), 'x,y\n0,0\n0.5,0\n1,0\n9,9\n9,9.5\n');
  const run = ['cluster', 'points.csv', '--eps', '1', '--min-pts', '2', '--save-model', 'model.arrow'];
  expect(await runEpsball(run, {cwd: folder})).toMatchObject({code: 0});
});

afterAll(() => rmSync(folder, {recursive: true}));

/** The line with which `predict` refuses a model. */
async function refusalOf(model: string): Promise<string> {
  const run = ['predict', model, 'points.csv', '--out', 'labels.npy'];
  const {code, stdout, stderr} = await runEpsball(run, {cwd: folder});
  expect({code, stdout, lines: stderr.split('\n').length}).toEqual({code: 2, stdout: '', lines: 2});
  return stderr;
}

it('a model that is no regular file is refused unread', async () => {
  expect(spawnSync('mkfifo', [join(folder, 'pipe.arrow')]).status).toBe(0);
  expect(await refusalOf('pipe.arrow')).toContain('MODEL = "pipe.arrow"; expected a file of "epsball cluster');
  expect(await refusalOf('pipe.arrow')).toContain('is a named pipe');
  symlinkSync('/dev/zero', join(folder, 'zero.arrow'));
  expect(await refusalOf('zero.arrow')).toContain('is a device');
  expect(await refusalOf('.')).toContain('is a folder');
});

it('a huge, an empty and a cut model are refused', async () => {
  for (const name of ['huge', 'empty', 'cut', 'magic']) writeFileSync(join(folder, `${name}.arrow`), '');
  truncateSync(join(folder, 'huge.arrow'), 2 ** 43);
  expect(await refusalOf('huge.arrow')).toContain('begins with ARROW1');
  writeFileSync(join(folder, 'magic.arrow'), 'ARROW1');
  truncateSync(join(folder, 'magic.arrow'), 2 ** 43);
  expect(await refusalOf('magic.arrow')).toContain('has 8796093022208 bytes');
  expect(await refusalOf('empty.arrow')).toContain('is empty');
  const bytes = readFileSync(join(folder, 'model.arrow'));
  writeFileSync(join(folder, 'cut.arrow'), bytes.subarray(0, bytes.length / 2));
  expect(await refusalOf('cut.arrow')).toContain('it is cut');
});

it('a model with byte 17 changed ends the command', async () => {
  const bytes = readFileSync(join(folder, 'model.arrow'));
  writeFileSync(join(folder, 'damaged.arrow'), bytes.with(17, 0xff));
  const {code} = await runEpsball(['predict', 'damaged.arrow', 'points.csv', '--out', 'labels.npy'], {cwd: folder});
  expect([0, 2]).toContain(code);
  const footer = bytes.readInt32LE(bytes.length - 10);
  writeFileSync(join(folder, 'footer.arrow'), bytes.fill(0xff, bytes.length - 10 - footer, bytes.length - 10));
  expect(await refusalOf('footer.arrow')).toContain('Arrow file that saveModel wrote');
});
