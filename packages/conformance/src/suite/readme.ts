import {readFileSync} from 'node:fs';
import {stripTypeScriptTypes} from 'node:module';
import {inspect} from 'node:util';
import {describe, expect, it} from 'vitest';

export interface ReadmeScope {
  /** Modules by specifier. */
  readonly modules: Readonly<Record<string, unknown>>;
  /** Names that the text around the examples explains: `points`, `eps`. */
  readonly names?: Readonly<Record<string, unknown>>;
  /** A pattern of examples that need what a test lacks, such as a device. */
  readonly skip?: RegExp;
}

const IMPORT = /^import \{([^}]+)\} from '([^']+)';$/gm;

/** A result in a comment: `// labels: Int32Array [0, 0, -1]`. */
const RESULT = /(?:(\w+): )?((?:Int32Array|Uint8Array|Float64Array) )?(\[[-\d., ]*\])/;

/**
 * Runs the TypeScript examples of a README, one test for each, and compares the results in comments, as in
 * `const {labels} = …; // Int32Array [0, 1]`. Later examples see what earlier ones import and
 * declare.
 *
 * @param url  of the README
 */
export function describeReadme(url: URL, scope: ReadmeScope): void {
  const text = readFileSync(url, 'utf8');
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
  const names: Record<string, unknown> = {...scope.names};
  for (const code of blocks) Object.assign(names, importsOf(code, scope.modules));
  describe('examples of the README', () => {
    for (const code of blocks) {
      if (scope.skip?.test(code) === true) continue;
      const [title] = code.replaceAll(IMPORT, '').trim().split('\n');
      it(`run: ${title}`, async () => {
        const results = await runExample(code, names);
        Object.assign(names, results);
        for (const [name, expected] of resultsIn(code)) {
          expect(`${name} ${plain(results[name])}`).toBe(`${name} ${expected}`);
        }
      });
    }
  });
}

function importsOf(code: string, modules: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, list, specifier] of code.matchAll(IMPORT)) {
    const module: unknown = modules[specifier];
    if (typeof module !== 'object' || module === null) throw new Error(`no module ${specifier} for the README`);
    for (const name of list.split(',').map((one) => one.trim())) {
      if (!Object.hasOwn(module, name) && !(name in module)) throw new Error(`${specifier} exports no ${name}`);
      found[name] = Reflect.get(module, name);
    }
  }
  return found;
}

/** Runs one example. Returns what it declares at the top level with `const`. */
async function runExample(code: string, names: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  const body = stripTypeScriptTypes(code.replaceAll(IMPORT, ''), {mode: 'strip'});
  const declared = [...code.matchAll(/^const (?:\{([^}]+)\}|(\w+))/gm)].flatMap(([, list, one]) =>
    one === undefined ? list.split(',').map((name) => name.split(':').at(-1)?.trim() ?? '') : [one],
  );
  const outer = Object.keys(names).filter((name) => !declared.includes(name));
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval, typescript/no-unsafe-type-assertion -- our README
  const run = new Function(...outer, `return (async () => {${body}\nreturn {${declared.join(', ')}};})();`) as (
    ...values: unknown[]
  ) => Promise<Record<string, unknown>>;
  return run(...outer.map((name) => names[name]));
}

/** Results in comments by name. Without a name the comment is about the first name of the last declaration above it. */
function resultsIn(code: string): Map<string, string> {
  const results = new Map<string, string>();
  let declared: string | undefined;
  for (const line of code.split('\n')) {
    declared = /^const \{?(\w+)/.exec(line)?.[1] ?? declared;
    const comment = /\/\/ (.*)$/.exec(line)?.[1];
    const found = comment === undefined ? null : RESULT.exec(comment);
    const name = found?.[1] ?? declared;
    if (found !== null && name !== undefined) results.set(name, closeBrackets(found[3]));
  }
  return results;
}

function plain(value: unknown): string {
  const isList = value instanceof Int32Array || value instanceof Uint8Array || value instanceof Float64Array;
  // `inspect` puts more than six numbers into columns.
  if (isList) return `[${Array.from(value).join(', ')}]`;
  return closeBrackets(inspect(value, {breakLength: Infinity, maxArrayLength: null}));
}

/** Lists in one form: with and without spaces inside the brackets. */
function closeBrackets(list: string): string {
  return list.replaceAll('[ ', '[').replaceAll(' ]', ']');
}
