// Divides the reference into pages of one symbol group each: a function or a class, with the types that it alone, or it
// first, speaks of. A long page of a whole package has no place to look at, and is a bad answer of a search.
import {posix} from 'node:path';

/** Text of Markdown by path below the folder of the reference, such as `dbscan/src.md`. */
export type Pages = ReadonlyMap<string, string>;

/** Groups whose symbols begin a page. */
const HEADS: ReadonlySet<string> = new Set(['Functions', 'Classes']);
/** Groups whose symbols stay on the page of the module. */
const LISTED: ReadonlySet<string> = new Set(['Constants', 'From other packages']);
/** Modules of fewer lines stay one page. */
const SPLIT_LINES = 160;

interface Symbol {
  readonly group: string;
  readonly name: string;
  /** Of its heading. */
  readonly id: string;
  /** Anchors in it, its own included. */
  readonly ids: readonly string[];
  readonly text: string;
}

interface Module {
  /** `dbscan/suggest` of `@epsball/dbscan/suggest`. */
  readonly name: string;
  /** What stands above the first group. */
  readonly head: string;
  readonly symbols: readonly Symbol[];
  readonly isSplit: boolean;
}

/**
 * The pages of the reference: of each module one, `dbscan/index.md`, with a list of its symbols, and of each symbol
 * group one, `dbscan/createdbscan.md`. Links between them lead to the pages where the symbols are now.
 *
 * @param pages  of typedoc, one for each module
 * @throws Error  if two pages have the same path
 */
export function divideReference(pages: Pages): Map<string, string> {
  const modules = [...pages]
    .filter(([path]) => path !== 'index.md')
    .map(([path, text]) => [path, readModule(path, text)] as const);
  const placed = new Map<string, string>();
  const made: {from: string; path: string; text: string}[] = [];
  for (const [from, module] of modules) {
    placed.set(from, `/reference/${module.name}/`);
    const groups = module.isSplit ? groupSymbols(module) : new Map<string, Symbol[]>();
    const apart = new Set([...groups.values()].flat());
    for (const [name, symbols] of groups) {
      const page = `${module.name}/${name}`;
      for (const id of symbols.flatMap(({ids}) => ids)) placed.set(`${from}#${id}`, `/reference/${page}#${id}`);
      made.push({from, path: `${page}.md`, text: groupPage(module, symbols)});
    }
    const rest = module.symbols.filter((symbol) => !apart.has(symbol));
    for (const id of rest.flatMap(({ids}) => ids)) placed.set(`${from}#${id}`, `/reference/${module.name}/#${id}`);
    made.push({from, path: `${module.name}/index.md`, text: modulePage(module, groups, rest)});
  }
  made.push({from: 'index.md', path: 'index.md', text: pages.get('index.md') ?? ''});
  const written = new Map(made.map(({from, path, text}) => [path, relink(text, from, placed)]));
  if (written.size !== made.length) throw new Error('two pages of the reference have the same path');
  return written;
}

function readModule(path: string, text: string): Module {
  const [head, ...groups] = text.split(/^## /m);
  const symbols = groups.flatMap((group) => {
    const [title] = group.split('\n', 1);
    return group
      .slice(title.length)
      .split(/^(?=<a id="[^"]+"><\/a>\n\n### )/m)
      .flatMap((part) => readSymbol(title, part));
  });
  const isSplit = text.split('\n').length >= SPLIT_LINES;
  return {name: path.replace(/\.md$/, '').replace(/\/src(?=\/|$)/, ''), head, symbols, isSplit};
}

function readSymbol(group: string, text: string): Symbol[] {
  const name = /^### (.+)$/m.exec(text)?.[1];
  if (name === undefined) return [];
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id);
  return [{group, name, id: ids[0], ids, text: text.trim().replace(/\n+\*\*\*$/, '')}];
}

/** The symbols of each page by its name, the function of the module's name first. */
function groupSymbols({name, symbols}: Module): Map<string, Symbol[]> {
  const [last] = name.split('/').slice(-1);
  const isMain = (symbol: Symbol): boolean => plain(symbol.name) === plain(last);
  const heads = symbols.filter(({group}) => HEADS.has(group)).sort((a, b) => Number(isMain(b)) - Number(isMain(a)));
  const groups = new Map<string, Symbol[]>();
  for (const head of heads) groups.set(groups.has(plain(head.name)) ? head.id : plain(head.name), [head]);
  const free = new Map(
    symbols.filter(({group}) => !HEADS.has(group) && !LISTED.has(group)).map((one) => [one.id, one]),
  );
  for (const group of groups.values()) {
    // The list grows while it is read: types of types follow.
    for (const {text} of group) {
      for (const [, id] of text.matchAll(/\]\(#([^)]+)\)/g)) {
        const type = free.get(id);
        if (type === undefined) continue;
        free.delete(id);
        group.push(type);
      }
    }
  }
  if (free.size > 0) groups.set('types', [...free.values()]);
  return groups;
}

function groupPage({name}: Module, symbols: readonly Symbol[]): string {
  const isOfTypes = !HEADS.has(symbols[0].group);
  const back = `[@epsball/${name}](/reference/${name}/)`;
  if (isOfTypes)
    return [`# Types of @epsball/${name}`, `Of ${back}.`, ...symbols.map(({text}) => raise(text, 1))].join('\n\n');
  const [head, ...types] = symbols;
  const [anchor, , ...rest] = head.text.split(/^(### .+)$/m);
  const imported = head.name.replaceAll(/\(.*$|`abstract` /g, '');
  const advice = imported.endsWith('Error') ? ' · [What to do](/errors#codes)' : '';
  const importLine = `\`import {${imported}} from '@epsball/${name}'\` · ${back}${advice}`;
  return [
    `${anchor.trim()}\n\n# ${head.name}`,
    importLine,
    raise(rest.join(''), 2),
    ...types.map(({text}) => raise(text, 1)),
  ].join('\n\n');
}

function modulePage({head}: Module, groups: ReadonlyMap<string, readonly Symbol[]>, rest: readonly Symbol[]): string {
  const lists = [...groups.values()].map((symbols) => {
    const links = symbols.map(({name, id}) => `[${name}](#${id})`);
    return `| ${links[0]} | ${summaryOf(symbols[0])} | ${links.slice(1).join(', ')} |`;
  });
  const table = lists.length === 0 ? [] : [['| name | what | with |', '|---|---|---|', ...lists].join('\n')];
  const titles = [...new Set(rest.map(({group}) => group))];
  const sections = titles.flatMap((title) => {
    const texts = rest.filter(({group}) => group === title).map(({text}) => text);
    const isShort = title === 'From other packages';
    return [`## ${title}`, isShort ? texts.map(reExport).join(',\n') : texts.join('\n\n***\n\n')];
  });
  return [head.trim(), ...table, ...sections].join('\n\n');
}

/** A symbol that only leads to another package: its link, and the anchor that others lead to. */
function reExport(text: string): string {
  return text.replace(/^(<a id="[^"]+"><\/a>)[\s\S]*Re-exports (\[.*\))$/, '$1$2');
}

/** The first sentence below the signature. */
function summaryOf({text}: Symbol): string {
  const blocks = text.split('\n\n').map((block) => block.trim());
  const prose = blocks.find((block) => /^[A-Z`]/.test(block)) ?? '';
  return prose
    .split(/(?<=\.)\s/, 1)[0]
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|');
}

/** Headings some levels up. */
function raise(text: string, levels: number): string {
  return text.trim().replaceAll(/^#{3,6}(?= )/gm, (marks) => marks.slice(levels));
}

/** Links of a page of typedoc, to where the symbols are now. */
function relink(text: string, from: string, placed: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\]\(([^)\s:]*\.md)?(#[^)\s]+)?\)/g, (whole, path: string | undefined, hash = '') => {
    const target = path === undefined ? from : posix.join(posix.dirname(from), path);
    const place = placed.get(`${target}${hash}`);
    return place === undefined ? whole : `](${place})`;
  });
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/`abstract` |[^a-z0-9]/g, '');
}
