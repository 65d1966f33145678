// After `tsc`: gives every module of tasks in `dist/` its text, for bundles and browsers, where threads cannot load a
// module by URL. `taskModule(import.meta.url, 'name')` becomes `taskModule(import.meta.url, 'name', code)`.
//
// node inlineTasks.ts, in the folder of a package
import {globSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {TASK_MODULE, taskText} from '../packages/conformance/src/browser/taskText.ts';

for (const file of globSync('dist/**/*.js')) {
  const text = readFileSync(file, 'utf8');
  const names = [...new Set([...text.matchAll(TASK_MODULE)].map(([, , name]) => name))];
  if (names.length === 0) continue;
  const imports = await Promise.all(names.map((name, k) => inlined(file, name, k)));
  const called = text.replace(
    TASK_MODULE,
    (_, _type, name: string) => `taskModule(import.meta.url, '${name}', code${names.indexOf(name)})`,
  );
  // Imports apply to the whole module; at the end they leave the lines of the source map as they are.
  const [code, map = ''] = called.split(/(?=\/\/# sourceMappingURL=)/);
  writeFileSync(file, `${code}${imports.join('')}${map}`);
}

/** Writes the text of a module beside it. Returns the line that imports the text. */
async function inlined(file: string, name: string, k: number): Promise<string> {
  const module = join(dirname(file), `${name}.js`);
  const text = await taskText(module);
  const target = module.replace(/\.js$/, '.code.js');
  writeFileSync(target, `export default ${JSON.stringify(text)};\n`);
  const path = relative(dirname(file), target).replaceAll('\\', '/');
  return `import code${k} from '${path.startsWith('.') ? path : `./${path}`}';\n`;
}
