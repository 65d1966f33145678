// Fills in what npm shows of every published package: repository, homepage, bugs, keywords, the files of the tarball,
// and the guard against a publication by hand. `--check` changes nothing and fails if a package lacks any of it.
//
// node .config/metadata.ts [--check]
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {publishedFolders, ROOT} from './packages/run.ts';

const REPOSITORY = 'https://github.com/epsball/epsball';
const KEYWORDS = ['clustering', 'dbscan', 'density-based-clustering'];
const GPU_KEYWORDS = ['gpu', 'webgpu'];
const FILES = ['README.md', 'CHANGELOG.md'];
const GUARD = 'node ../../.config/prepublish.mjs';

interface Manifest {
  readonly name: string;
  readonly files?: readonly string[];
  readonly keywords?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const isCheck = process.argv.includes('--check');
const outdated = publishedFolders().filter((folder) => {
  const path = join(ROOT, folder, 'package.json');
  const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
  const complete = completed(manifest, folder);
  if (isDeepStrictEqual(complete, manifest)) return false;
  // oxfmt puts the keys in their order.
  if (!isCheck) writeFileSync(path, `${JSON.stringify(complete, null, 2)}\n`);
  return true;
});
if (isCheck && outdated.length > 0) {
  process.stderr.write(`metadata: ${outdated.join(', ')} lack what pnpm metadata fills in\n`);
  process.exitCode = 1;
}

function completed(manifest: Manifest, directory: string): object {
  const {files = [], keywords = [], scripts = {}} = manifest;
  return {
    ...manifest,
    keywords: keywords.length > 0 ? keywords : keywordsOf(manifest),
    homepage: `${REPOSITORY}/tree/main/${directory}#readme`,
    bugs: `${REPOSITORY}/issues`,
    repository: {type: 'git', url: `git+${REPOSITORY}.git`, directory},
    scripts: {...scripts, prepublishOnly: GUARD},
    files: [...files.filter((file) => !FILES.includes(file)), ...FILES],
  };
}

function keywordsOf({name, exports = {}, dependencies = {}}: Manifest): string[] {
  const own = name.replace('@epsball/', '');
  const hasGpu = './gpu' in exports || '@epsball/gpu' in dependencies || own === 'gpu';
  return [...new Set([...KEYWORDS, ...(hasGpu ? GPU_KEYWORDS : []), own])].sort();
}
