import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {runMain} from './runMain.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-chosen-'));
  writeFileSync(join(folder, 'three.csv'), 'x,y\n0,0\n1,0\n50,0.1\n');
});

afterAll(() => rmSync(folder, {recursive: true}));

describe('the row “chosen”', () => {
  const chosen = async (...more: string[]): Promise<string | undefined> => {
    const {stdout} = await runMain(['cluster', 'three.csv', '--eps', '1', '--min-pts', '2', ...more], {cwd: folder});
    return /^chosen +(.*)$/m.exec(stdout)?.[1];
  };

  it('counts the start of threads and a device, which the command pays', async () => {
    const row = await chosen();
    expect(row).toMatch(/; start included$/);
    // The start of a process alone takes so long.
    expect(Number(/^(\d+) ms expected on the calling thread/.exec(row ?? '')?.[1])).toBeGreaterThanOrEqual(100);
  });

  it('estimates no time of a variant that the user named', async () => {
    const row = await chosen('--algorithm', 'dense-grid');
    expect(row).toBe('first in the order for 3 points in 2-D that dense-grid runs on; its time is not estimated');
    expect(await chosen('--algorithm', 'dense-grid', '--backend', 'sequential')).toBeUndefined();
  });
});
