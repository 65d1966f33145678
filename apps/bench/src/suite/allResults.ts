import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {resultFileSchema, suites} from '@epsball/benchmarks';

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
