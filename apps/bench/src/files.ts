import {existsSync, globSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {UsageError} from '@epsball/cli/command';
import {resultFileSchema, suites} from '@epsball/benchmarks';

/** `benchmarks/reports` of the checkout that this file belongs to; in an installed copy, of the current folder. */
export function defaultReportFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'pnpm-workspace.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder) return join(process.cwd(), 'benchmarks', 'reports');
    folder = parent;
  }
  return join(folder, 'benchmarks', 'reports');
}

/** @throws UsageError  if a file of an option is not a regular one */
export function requireFiles(option: string, files: readonly string[]): void {
  const missing = files.find((file) => statSync(file, {throwIfNoEntry: false})?.isFile() !== true);
  if (missing !== undefined) throw new UsageError(option, missing, 'a regular file that exists');
}

/** The committed baselines of this checkout, those of the quick profile included; none in an installed copy. */
export function committedBaselines(): string[] {
  return [...committed('*.json'), ...committed('quick/*.json')];
}

/** The committed runs of references, whose labels and times stand in for long sequential runs. */
export function committedReferences(): string[] {
  return committed('references/*.json');
}

function committed(pattern: string): string[] {
  const cwd = join(defaultReportFolder(), '..', 'baselines');
  return globSync(pattern, {cwd})
    .toSorted()
    .map((file) => join(cwd, file));
}

/** The newest result of each suite in a folder; files that are no results are left out. */
export function newestResults(resultsDir: string): string[] {
  const files = globSync('*.json', {cwd: resultsDir}).map((name) => join(resultsDir, name));
  const read = files.flatMap((file) => {
    try {
      const {suite, startedAt} = resultFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      return suites.some(({id}) => id === suite) ? [{file, suite, startedAt}] : [];
    } catch {
      return [];
    }
  });
  const groups = Map.groupBy(read, ({suite}) => suite);
  return [...groups.values()].map(
    (all) => all.reduce((newest, one) => (one.startedAt > newest.startedAt ? one : newest)).file,
  );
}
