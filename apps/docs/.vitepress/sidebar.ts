import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const SITE = join(import.meta.dirname, '../site');

interface Item {
  readonly text: string;
  readonly link: string;
}

/**
 * The packages in the groups and in the order of the table `for | packages` of the root README, each with its subpaths.
 *
 * @param part  `packages`: pages of READMEs. `reference`: pages of modules
 * @throws Error  if a package is in no row
 */
export function pagesByPurpose(part: 'packages' | 'reference'): {text: string; items: Item[]}[] {
  const found = globSync(part === 'packages' ? '*.md' : '*/**/index.md', {cwd: join(SITE, part)});
  const pages = new Set(found.map((file) => file.replace(/\/?index\.md$|\.md$/, '')));
  const groups = purposes().map(([purpose, names]) => {
    const items = names.flatMap((name) =>
      [...pages]
        .filter((page) => page === name || page.startsWith(`${name}/`))
        .toSorted()
        .map((page) => ({text: page, link: `/${part}/${page}${part === 'reference' ? '/' : ''}`})),
    );
    return {text: purpose[0].toUpperCase() + purpose.slice(1), items};
  });
  const listed = new Set(groups.flatMap(({items}) => items.map(({text}) => text)));
  const missing = [...pages].filter((page) => !listed.has(page));
  if (missing.length > 0) throw new Error(`README.md names no purpose of ${missing.join(', ')}`);
  return groups.filter(({items}) => items.length > 0);
}

/** Names of packages without the scope, by purpose. */
function purposes(): (readonly [purpose: string, names: string[]])[] {
  const [, table] = readFileSync(join(ROOT, 'README.md'), 'utf8').split('| for | packages |\n');
  const [rows] = table.split('\n\n', 1);
  return rows
    .split('\n')
    .slice(1)
    .map((row) => {
      const [, purpose, packages] = row.split('|');
      return [purpose.trim(), [...packages.matchAll(/@epsball\/([\w-]+)/g)].map(([, name]) => name)] as const;
    });
}
