import {globSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {join} from 'node:path';
import {specsIn} from './installLine.ts';
import {fail, print, ROOT, run} from './run.ts';

/** The first example of a README, with the line that installs what it needs. */
export interface Example {
  /** What its first line installs. */
  readonly specs: readonly string[];
  /** Text by file name without extension; the last file runs. */
  readonly files: ReadonlyMap<string, string>;
  /** The lines that it prints, as comments after `console.log(…);` say; empty strings where there is no comment. */
  readonly printed: readonly string[];
}

/**
 * The two TypeScripts that must accept the example with all libraries: the workspace's, and 5.9, whose lib `dom` lacks
 * WebGPU.
 */
const TYPESCRIPTS = ['node_modules/typescript', 'apps/docs/node_modules/typescript'];

/** Reads the install line and the first TypeScript example. Blocks whose first line is `// name.ts` are files of it. */
export function readExample(folder: string): Example | undefined {
  const text = readFileSync(join(ROOT, folder, 'README.md'), 'utf8');
  const specs = specsIn(text).at(0);
  if (specs === undefined) return undefined;
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  const main = blocks.findIndex((code) => !/^\/\/ \w+\.ts/.test(code));
  if (main < 0) return fail(`${folder}/README.md has no example`);
  const parts = blocks.slice(0, main).map((code) => [/^\/\/ (\w+)\.ts/.exec(code)?.[1] ?? '', code] as const);
  const calls = [...blocks[main].matchAll(/^\s*console\.log\(.*\);(?: *\/\/ ?(.*))?$/gm)];
  return {
    specs,
    files: new Map([...parts, ['example', blocks[main]]]),
    printed: calls.map(([, comment = '']) => comment.split(';')[0].trim()),
  };
}

/** Writes the example as TypeScript and as JavaScript into folders of an installed consumer. */
export function writeExample({files}: Example, consumer: string): void {
  for (const ending of ['ts', 'js']) {
    mkdirSync(join(consumer, ending));
    for (const [name, code] of files) {
      const text = ending === 'ts' ? code : stripTypeScriptTypes(code, {mode: 'strip'});
      writeFileSync(join(consumer, ending, `${name}.${ending}`), text);
    }
  }
}

export function runExample(node: string, {printed}: Example, file: string, cwd: string): void {
  comparePrinted(run(node, ['--disable-warning=ExperimentalWarning', file], cwd), printed, file);
}

/** @throws Error  if the example printed something else than its comments say */
export function comparePrinted(output: string, printed: readonly string[], where: string): void {
  const lines = output.trim().split('\n');
  for (const [k, expected] of printed.entries()) {
    if (expected === '' || lines[k]?.trim() === expected) continue;
    fail(`${where} printed ${JSON.stringify(lines[k])}; expected ${JSON.stringify(expected)}`);
  }
}

/** The pages for users whose examples must parse. */
const PAGES = ['README.md', '{packages,apps}/*/README.md', 'packages/*/docs/**/*.md', 'apps/docs/pages/*.md'];

/**
 * Parses every example of the pages with a Node.
 *
 * @param temporary  receives a file
 * @throws Error     that names the page of an example with a syntax that the Node does not know
 */
export function checkSyntax(node: string, temporary: string): void {
  const pages = globSync(PAGES, {cwd: ROOT});
  const examples = pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const codes = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    return codes.map((code) => ({page, body: stripTypeScriptTypes(code, {mode: 'strip'})}));
  });
  const path = join(temporary, 'examples.json');
  writeFileSync(path, JSON.stringify(examples));
  const script = `
    for (const {page, body} of JSON.parse(fs.readFileSync(${JSON.stringify(path)}, 'utf8'))) {
      try { new vm.SourceTextModule(body) } catch (error) { throw new Error(page + ': ' + error.message + '\\n' + body) }
    }`;
  run(node, ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '-e', script], ROOT);
  print(`${examples.length} examples of ${pages.length} pages parse on ${run(node, ['--version'], ROOT).trim()}`);
}

export function checkTypes(consumer: string): void {
  const options = {
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({compilerOptions: options, include: ['ts']}));
  for (const folder of TYPESCRIPTS) run(process.execPath, [join(ROOT, folder, 'bin/tsc'), '-p', '.'], consumer);
}
