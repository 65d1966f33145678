// Writes the line that installs packages into every README and page that has one, between `<!-- install: SPECS -->` and
// `<!-- /install -->`. `published.ts` decides which line. `--check` changes nothing and fails if a page is outdated, or
// has such a line elsewhere.
//
// node .config/installLines.ts [--check]
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {hasStrayLine, TARBALLS, withInstallLines} from './packages/installLine.ts';
import {ROOT} from './packages/run.ts';

/** Texts for users of published packages. */
const PAGES = ['README.md', 'docs/*.md', 'packages/*/README.md', 'apps/cli/README.md', 'apps/docs/pages/*.md'];

const isCheck = process.argv.includes('--check');
for (const page of globSync(PAGES, {cwd: ROOT}).sort()) {
  const path = join(ROOT, page);
  const text = readFileSync(path, 'utf8');
  const written = withInstallLines(text);
  if (written !== text && isCheck) report(`${page} is outdated; expected what pnpm install-lines writes`);
  if (written !== text && !isCheck) writeFileSync(path, written);
  const released = withInstallLines(text, true);
  if (released.includes(`${TARBALLS}/`)) report(`${page} names a tarball outside of <!-- install: … -->`);
  if (hasStrayLine(written))
    report(`${page} installs a package of this repository; expected <!-- install: … --> there`);
}

function report(line: string): void {
  process.stderr.write(`installLines: ${line}\n`);
  process.exitCode = 1;
}
