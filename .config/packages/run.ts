import {spawnSync} from 'node:child_process';
import {globSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';

export const ROOT: string = join(import.meta.dirname, '../..');

export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly packageManager?: string;
  readonly publishConfig?: {readonly exports?: Readonly<Record<string, unknown>>};
}

/** A command that ended with another status than 0. */
export class CommandError extends Error {}

/** Runs a command and returns what it prints; throws with all of it where the command fails. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const env = cwd.startsWith(ROOT) ? process.env : outsideEnv();
  const {status, stdout, stderr, error} = spawnSync(command, args, {cwd, env, encoding: 'utf8', maxBuffer: 2 ** 28});
  if (status !== 0) throw new CommandError(`${command} ${args.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`);
  return stdout;
}

/** Runs a command that must fail, and returns its exit status and what it prints on standard error. */
export function runFailing(command: string, args: readonly string[], cwd: string): {status: number; line: string} {
  const {status, stderr} = spawnSync(command, args, {cwd, env: outsideEnv(), encoding: 'utf8'});
  return {status: status ?? -1, line: stderr.trim()};
}

/** The environment without what a package manager put there: no `npm_*` settings, nothing of this workspace on PATH. */
function outsideEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([key]) => !/^(?:npm_|pnpm_|NODE_OPTIONS$|INIT_CWD$)/i.test(key));
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.startsWith(ROOT));
  return {...Object.fromEntries(kept), PATH: path.join(delimiter)};
}

/** Path of a Node of a major version. `npx` downloads it, outside of the workspace, where another Node comes first. */
export function findNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}@${version}`;
  return run('npx', ['-y', '-p', name, '-c', 'command -v node'], tmpdir()).trim();
}

export function readManifest(path: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  return manifest;
}

/** Folders of the published packages, sorted. */
export function publishedFolders(): string[] {
  return globSync(['packages/*/package.json', 'apps/*/package.json'], {cwd: ROOT})
    .filter((path) => readManifest(path).private !== true)
    .map((path) => path.slice(0, -'/package.json'.length))
    .sort();
}

export function pnpm(args: readonly string[]): string {
  const {packageManager = 'pnpm'} = readManifest('package.json');
  return run('npx', ['-y', packageManager, ...args], ROOT);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function fail(message: string): never {
  throw new Error(message);
}
