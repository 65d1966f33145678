import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';

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
