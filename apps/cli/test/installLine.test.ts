import {describe, expect, it} from 'vitest';
import {MissingPackageError, exitCodeOf, lineOf} from '../src/errors.ts';
import {installLine, loadOptional, withInstallLines} from '../src/installLine.ts';

const LOCAL = '/srv/project/node_modules/@epsball/cli/dist/installLine.js';
const GLOBAL = '/usr/local/lib/node_modules/@epsball/cli/dist/installLine.js';
const NPX = '/srv/.npm/_npx/0f1e2d/node_modules/@epsball/cli/dist/installLine.js';

describe('the line that installs a package', () => {
  it('follows how the program was installed', () => {
    expect(installLine('sharp@0.35', LOCAL)).toBe('npm install sharp@0.35');
    expect(installLine('sharp@0.35', GLOBAL)).toBe('npm install --global sharp@0.35');
    expect(installLine('sharp@0.35', NPX)).toBe('npx -p @epsball/cli -p sharp@0.35 epsball …');
  });

  it('names the tarball beside that of a program that was packed in a clone', () => {
    expect(installLine('@epsball/scale-out', LOCAL, '/srv/epsball/tarballs')).toBe(
      'npm install /srv/epsball/tarballs/epsball-scale-out.tgz',
    );
    expect(installLine('sharp@0.35', LOCAL, '/srv/epsball/tarballs')).toBe('npm install sharp@0.35');
    expect(installLine('@epsball/scale-out', LOCAL)).toBe('npm install @epsball/scale-out');
    const message = 'scale-out: npm install @epsball/scale-out';
    expect(withInstallLines(message, LOCAL, '/srv/t')).toContain('npm install /srv/t/epsball-scale-out.tgz');
  });

  it('replaces the lines of libraries', () => {
    const message = 'no adapter (hardware: npm package webgpu is not installed; npm install webgpu@0.6)';
    expect(withInstallLines(message, LOCAL)).toBe(message);
    expect(withInstallLines(message, GLOBAL)).toContain('; npm install --global webgpu@0.6)');
    expect(withInstallLines(message, NPX)).toContain('; npx -p @epsball/cli -p webgpu@0.6 epsball …)');
  });

  it('is the error of a flag whose package is missing, with the exit code of usage', async () => {
    const absent: string = 'epsball-absent';
    const failure: unknown = await loadOptional('segment', 'sharp@0.35', () => import(absent)).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(MissingPackageError);
    expect(exitCodeOf(failure)).toBe(2);
    expect(lineOf(failure)).toBe('segment needs the npm package sharp: npm install sharp@0.35');
  });

  it('is not the error of a package that fails otherwise', async () => {
    const broken = new Error('no binary for this platform');
    await expect(loadOptional('segment', 'sharp@0.35', () => Promise.reject(broken))).rejects.toBe(broken);
  });
});
