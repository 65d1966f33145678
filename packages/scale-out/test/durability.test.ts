import files, {type FileHandle} from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {expect, it, onTestFinished} from 'vitest';
import {createRun, runLocally} from '../src/index.ts';
import {temporaryFolder} from './outOfCore.ts';

const folder = temporaryFolder();

/** Lists what this process synchronizes and renames below a folder. */
function recordDiskEvents(below: string): string[] {
  const events: string[] = [];
  const shorten = (path: unknown): string =>
    String(path)
      .slice(below.length + 1)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID');
  const {open, rename} = files;
  files.open = async (path, ...more) => {
    const opened: FileHandle = await open(path, ...more);
    const sync = opened.sync.bind(opened);
    opened.sync = async () => {
      await sync();
      events.push(`sync ${shorten(path)}`);
    };
    return opened;
  };
  files.rename = async (from, to) => {
    await rename(from, to);
    events.push(`rename ${shorten(to)}`);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(files, {open, rename});
    syncBuiltinESMExports();
  });
  return events;
}

it('has a file and its name on the disk before the marker is written', async () => {
  const input = join(folder, 'points.npy');
  await writePoints(input, {dim: 1, coords: Float32Array.of(1, 2, 3)});
  const events = recordDiskEvents(join(folder, 'one'));
  const run = await createRun({input, work: folder, name: 'one', eps: 1, minPts: 2, concurrency: 1});
  expect(events).toEqual(['sync run.json.ID.partial', 'sync ']);
  await runLocally(run);
  const at = events.indexOf('sync data/merge-0/ID.0.ID.partial');
  expect(events.slice(at, at + 6)).toEqual([
    'sync data/merge-0/ID.0.ID.partial',
    'rename data/merge-0/ID.0',
    'sync data/merge-0',
    'sync done/merge-0.json.ID.partial',
    'rename done/merge-0.json',
    'sync done',
  ]);
});
