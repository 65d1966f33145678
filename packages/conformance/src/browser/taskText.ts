import {build, type Plugin} from 'esbuild';
import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** A module of tasks by name, in a source or in the output of `tsc`, outside of comments. */
export const TASK_MODULE: RegExp = /(?<!^ *(?:\*|\/\/).*)\btaskModule(<[^>]*>)?\(import\.meta\.url, '([^']+)'\)/gm;

/** A text above this size is a mistake, such as an import of a whole package. */
const BYTES_MAX = 100_000;

/**
 * The text of a module of tasks with all that it imports. Threads in a bundle and in a page cannot load the module by
 * its URL.
 *
 * @param module      path of the module
 * @param conditions  of the exports of packages. Default: those of an installed package
 */
export async function taskText(module: string, conditions: string[] = []): Promise<string> {
  const {outputFiles} = await build({
    entryPoints: [module],
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    target: 'es2023',
    platform: 'browser',
    legalComments: 'none',
    logLevel: 'warning',
    ...(conditions.length > 0 ? {conditions} : {}),
  });
  const [{text}] = outputFiles;
  if (text.length > BYTES_MAX)
    throw new Error(`${module} and its imports = ${text.length} bytes; expected at most ${BYTES_MAX}`);
  return text;
}

/** Gives each `taskModule` of the sources its text, as builds do. */
export function inlineTasksOfSources(conditions: string[]): Plugin {
  return {
    name: 'tasks',
    setup: (bundle) => {
      bundle.onLoad({filter: /[\\/](?:packages|apps)[\\/][\w-]+[\\/]src[\\/].*\.ts$/}, async ({path}) => {
        const source = readFileSync(path, 'utf8');
        const calls = [...source.matchAll(TASK_MODULE)];
        if (calls.length === 0) return undefined;
        let contents = source;
        for (const [call, type = '', name] of calls) {
          const text = await taskText(join(dirname(path), `${name}.ts`), conditions);
          contents = contents.replace(
            call,
            () => `taskModule${type}(import.meta.url, '${name}', ${JSON.stringify(text)})`,
          );
        }
        return {contents, loader: 'ts'};
      });
    },
  };
}
