// Releases the published packages: versions and changelogs from `.changeset/`, build, checks, publication with
// provenance. Runs in `.github/workflows/release.yml`. With `--dry-run` nothing is published, and the versions are made
// in a copy of the last commit.
//
// pnpm release [--dry-run]
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ROOT, readManifest, type Manifest} from './packages/run.ts';
import {IS_PUBLISHED} from './published.ts';

const isDryRun = process.argv.includes('--dry-run');

if (isDryRun) {
  inCopy((copy) => {
    checkVersions(copy);
    checkGuard(join(copy, 'packages/clustering'));
  });
} else {
  if (!IS_PUBLISHED) throw new Error('IS_PUBLISHED = false in .config/published.ts; set it and run pnpm install-lines');
  run('changeset', ['version'], ROOT);
  checkVersions(ROOT, false);
  // The workflow publishes the commit whose CI has passed; these checks are of the tarballs themselves.
  run('node', ['.config/check-packages.ts', '--all'], ROOT);
  process.env['EPSBALL_RELEASE'] = '1';
  const {packageManager = 'pnpm'} = readManifest('package.json');
  const publish = ['--recursive', 'publish', '--provenance', '--access', 'public', '--no-git-checks'];
  run('npx', ['-y', packageManager, ...publish], ROOT);
}

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

/** Checks that `npm publish` refuses, and that the release itself may publish. */
function checkGuard(folder: string): void {
  const publish = (env: NodeJS.ProcessEnv): ReturnType<typeof spawnSync<string>> =>
    spawnSync('npm', ['publish', '--dry-run'], {cwd: folder, env: {...process.env, ...env}, encoding: 'utf8'});
  const byHand = publish({EPSBALL_RELEASE: ''});
  if (byHand.status === 0 || !byHand.stderr.includes('publish with pnpm release')) {
    throw new Error(`npm publish was not refused: ${byHand.stderr}`);
  }
  const released = publish({EPSBALL_RELEASE: '1'});
  if (released.status !== 0) throw new Error(`the release may not publish: ${released.stderr}`);
  process.stdout.write('npm publish is refused\n');
}

function inCopy(work: (copy: string) => void): void {
  const parent = mkdtempSync(join(tmpdir(), 'epsball-release-'));
  const copy = join(parent, 'copy');
  try {
    // A shallow clone is slow: changesets deepen it, step by step, for the commit of each of them.
    run('git', ['clone', '--quiet', '--shared', ROOT, copy], ROOT);
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    work(copy);
  } finally {
    rmSync(parent, {recursive: true});
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, {cwd, stdio: 'inherit'});
}
