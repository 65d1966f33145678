import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

/** Where reports go unless told otherwise: `benchmarks/reports` of the checkout, or of the current folder. */
export function defaultReportFolder(): string {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const base = existsSync(join(root, 'pnpm-workspace.yaml')) ? root : process.cwd();
  return join(base, 'benchmarks', 'reports');
}
