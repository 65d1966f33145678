// Puts the site together in `site/`: the pages of this package, the documents of the repository, the README of every
// published package, the reference that typedoc writes, the report, and the pictures of the guides. Links between them
// become links of the site; links to other files become links to the repository.
import {execFile} from 'node:child_process';
import {cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {promisify} from 'node:util';
import {Application} from 'typedoc';
import {forReaders} from './referencePage.ts';
import {divideReference} from './referencePages.ts';

const HERE = join(import.meta.dirname, '..');
const ROOT = join(HERE, '../..');
const SITE = join(HERE, 'site');
interface Manifest {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly publishConfig: {readonly exports: Readonly<Record<string, unknown>>};
}

const REPOSITORY = 'https://github.com/epsball/epsball/blob/main';
const PICTURES = 'https://raw.githubusercontent.com/epsball/epsball/main';

/** Parts of the site that VitePress does not make, by the path in the repository. */
const STATIC = new Map([
  ['docs/report/index.html', '/report/'],
  ['apps/playground', '/playground/'],
]);

const DOCUMENTS = new Map([
  ['ARCHITECTURE.md', 'architecture'],
  ['benchmarks/METHOD.md', 'performance-method'],
  ['docs/contract.md', 'contract'],
  ['docs/numerics.md', 'numerics'],
  ['docs/papers.md', 'papers'],
  ['docs/scale-out.md', 'scale-out'],
  ...publishedFolders().map((folder) => [`${folder}/README.md`, `packages/${folder.split('/')[1]}`] as const),
]);

rmSync(SITE, {recursive: true, force: true});
cpSync(join(HERE, 'pages'), SITE, {recursive: true});
cpSync(join(ROOT, 'apps/playground/public/icon.svg'), join(SITE, 'public/icon.svg'));
cpSync(join(ROOT, 'docs/report'), join(SITE, 'public/report'), {recursive: true});
for (const [file, page] of DOCUMENTS) writeDocument(file, page);
for (const page of globSync('**/*.md', {cwd: SITE})) openStatic(join(SITE, page));
// In a process of its own: typedoc blocks this one.
const drawing = [...process.execArgv, join(import.meta.dirname, 'writePictures.ts'), join(SITE, 'public/pictures')];
await Promise.all([promisify(execFile)(process.execPath, drawing), writeReference()]);

function publishedFolders(): string[] {
  return globSync(['packages/*/package.json', 'apps/*/package.json'], {cwd: ROOT})
    .filter((path) => {
      const manifest: {readonly private?: boolean} = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
      return manifest.private !== true;
    })
    .map(dirname)
    .sort();
}

function writeDocument(file: string, page: string): void {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(
    /\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (_, path: string, anchor = '') => `](${linkTo(normalize(join(dirname(file), path)))}${anchor})`,
  );
  const path = join(SITE, `${page}.md`);
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, forVue(text));
}

/** Where a file or folder of the repository is: on the site, or in the repository. */
function linkTo(path: string): string {
  const folder = path.replace(/\/$/, '');
  const page = DOCUMENTS.get(folder) ?? DOCUMENTS.get(`${folder}/README.md`);
  if (page !== undefined) return `/${page}`;
  const other = STATIC.get(folder);
  if (other !== undefined) return other;
  return `${/\.(?:svg|png)$/.test(folder) ? PICTURES : REPOSITORY}/${folder}`;
}

/** Links to static parts leave the pages of VitePress, which would look for them among its own. */
function openStatic(path: string): void {
  const text = readFileSync(path, 'utf8');
  const opened = text.replaceAll(/\]\(\/(?:report|playground)\/(?:#[^)]*)?\)/g, '$&{target="_self"}');
  if (opened !== text) writeFileSync(path, opened);
}

/** VitePress reads `<name>` outside of code as a component, and `{{` as an expression. */
function forVue(text: string): string {
  return text
    .split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
    .map((part, k) =>
      k % 2 === 1 ? part : part.replaceAll(/<(?!\/?(?:a|sub|sup|br)\b)(?!https?:)(?=\/?[A-Za-z])/g, '&lt;'),
    )
    .join('');
}

/** The sources of what a package exports: `.`, `./gpu`, `./workers` and others. */
function entriesOf(folder: string): string[] {
  const {exports, publishConfig}: Manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  return Object.keys(publishConfig.exports).flatMap((subpath) => {
    const source = exports[subpath]['@epsball/source'];
    return source === undefined ? [] : [join(ROOT, folder, source)];
  });
}

async function writeReference(): Promise<void> {
  const entryPoints = publishedFolders()
    .filter((folder) => folder.startsWith('packages/'))
    .flatMap(entriesOf);
  const markdown = {
    outputFileStrategy: 'modules',
    entryFileName: 'index',
    hideBreadcrumbs: true,
    hidePageHeader: true,
    // Its links name headings in a way of its own, which VitePress does not follow.
    useHTMLAnchors: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
    tableColumnSettings: {hideInherited: true, hideOverrides: true, hideSources: true},
    groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*', 'References'],
    outputs: [{name: 'markdown', path: join(SITE, 'reference')}],
  };
  const app = await Application.bootstrapWithPlugins({
    ...markdown,
    name: 'Reference',
    entryPoints,
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(HERE, 'tsconfig.reference.json'),
    skipErrorChecking: true,
    readme: 'none',
    disableSources: true,
    // Members that classes inherit from Node or TypeScript, such as `Error.captureStackTrace`.
    excludeExternals: true,
    logLevel: 'Error',
    basePath: join(ROOT, 'packages'),
    alwaysCreateEntryPointModule: true,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc read no package');
  await app.generateOutputs(project);
  const folder = join(SITE, 'reference');
  const texts = new Map(
    globSync('**/*.md', {cwd: folder}).map((file) => [file, forReaders(readFileSync(join(folder, file), 'utf8'))]),
  );
  rmSync(folder, {recursive: true});
  for (const [file, text] of divideReference(texts)) {
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    writeFileSync(join(folder, file), text);
  }
}
