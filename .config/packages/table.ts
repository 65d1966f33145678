import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {ROOT} from './run.ts';

/** What was found out about a package. */
export interface Row {
  readonly name: string;
  /** Bytes of the tarball. */
  readonly tarball: number;
  /** Bytes of `node_modules` after its installation alone. */
  readonly installed: number;
  /** Kilobytes that a page loads at once, by entry. */
  readonly page: string;
  readonly example: string;
  readonly browser: string;
}

const HEAD = `# The packages, as users get them

\`pnpm check --all\` writes this table. It packs every package, installs it alone with plain npm, and runs the first
example of its README as it stands: as TypeScript (type-checked with two TypeScripts, with all libraries) and as
JavaScript, on Node 22 and 24, and in Chromium. esbuild, Vite, webpack and rollup build every entry for browsers without
configuration.

- **tarball**, **install**: kilobytes of the tarball, and megabytes of \`node_modules\` after \`npm install\`.
- **page**: kilobytes, minified and compressed, that a page loads at once, by entry; more loads on demand.

| package | tarball | install | Node 22 and 24 | four bundlers | page | Chromium |
|---|---|---|---|---|---|---|
`;

/** Writes docs/packages.md. */
export function writeTable(rows: readonly Row[]): void {
  const lines = rows.map(({name, tarball, installed, page, example, browser}) =>
    [
      `| \`${name}\``,
      (tarball / 1000).toFixed(0),
      (installed / 1e6).toFixed(1),
      example,
      page === '' ? '– (Node alone)' : 'build',
      page || '–',
      `${browser} |`,
    ].join(' | '),
  );
  writeFileSync(join(ROOT, 'docs/packages.md'), `${HEAD}${lines.join('\n')}\n`);
}
