// Releases the published packages: versions and changelogs from `.changeset/`, build, checks, publication with
// provenance. Runs in `.github/workflows/release.yml`. With `--dry-run` nothing is published, and the versions are made
// in a copy of the last commit.
//
// pnpm release [--dry-run]
import {execFileSync} from 'node:child_process';
import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const isDryRun = process.argv.includes('--dry-run');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly packageManager?: string;
}

if (isDryRun) inCopy((copy) => checkVersions(copy));
else {
  run('changeset', ['version'], ROOT);
  checkVersions(ROOT, false);
  // The workflow publishes the commit whose CI has passed; these checks are of the tarballs themselves.
  run('node', ['.config/check-packages.ts', '--all'], ROOT);
  pnpm(['--recursive', 'publish', '--provenance', '--access', 'public', '--no-git-checks']);
}

/** Makes versions and changelogs, and checks that every published package has both. */
function checkVersions(folder: string, makes = true): void {
  if (makes) run('changeset', ['version'], folder);
  const manifests = globSync(['packages/*/package.json', 'apps/*/package.json'], {cwd: folder}).sort();
  for (const path of manifests) {
    const {name, version, private: isPrivate}: Manifest = JSON.parse(readFileSync(join(folder, path), 'utf8'));
    if (isPrivate === true) continue;
    const changelog = join(folder, path.replace('package.json', 'CHANGELOG.md'));
    if (version === '0.0.0') throw new Error(`${name} = ${version}; expected a changeset for it in .changeset/`);
    if (!existsSync(changelog)) throw new Error(`${name} has no CHANGELOG.md`);
    process.stdout.write(`${name} ${version}\n`);
  }
}

/** Works in a copy of the last commit. */
function inCopy(work: (copy: string) => void): void {
  const parent = mkdtempSync(join(tmpdir(), 'epsball-release-'));
  const copy = join(parent, 'copy');
  try {
    run('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, copy], ROOT);
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    work(copy);
  } finally {
    rmSync(parent, {recursive: true});
  }
}

function pnpm(args: readonly string[]): void {
  const {packageManager = 'pnpm'}: Manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  run('npx', ['-y', packageManager, ...args], ROOT);
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, {cwd, stdio: 'inherit'});
}
