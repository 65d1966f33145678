import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {createCheckoutProgram} from '../src/main.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = [
  '*.md',
  'benchmarks/*.md',
  'docs/*.md',
  'packages/*/README.md',
  'packages/*/docs/**/*.md',
  'apps/*/README.md',
  'apps/docs/pages/*.md',
  'benchmarks/src/documents/*.ts',
];

/** Flags by command. */
const {commands} = createCheckoutProgram();
const flags = new Map(
  [
    ...commands.map((command) => ({name: command.name(), command})),
    ...commands.flatMap((above) =>
      above.commands.map((command) => ({name: `${above.name()} ${command.name()}`, command})),
    ),
  ].map(({name, command}) => [name, new Set([...command.options.flatMap(({long}) => long ?? []), '--help'])]),
);

/** Flags in code that speak of `epsball`, with the command if it is named. */
function flagsIn(page: string): {command: string | undefined; flag: string; where: string}[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const code = [...text.matchAll(/`([^`\n]+)`|^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, span, block]) =>
    (span ?? block).split('\n'),
  );
  // Libraries name flags of Node, such as `--allow-worker`.
  const isOfCommand = !page.startsWith('packages/');
  return code.flatMap((line) => {
    const [called = '', command] =
      /\bepsball ((?:scale )?[a-z-]+).*/.exec(line) ?? (isOfCommand && line.startsWith('--') ? [line] : []);
    return [...called.matchAll(/(?<=^|[\s(])--[a-z][\w-]*/g)].map(([flag]) => ({
      command,
      flag,
      where: `${page}: ${line}`,
    }));
  });
}

it('every flag that a document names exists', () => {
  const found = globSync(PAGES, {cwd: ROOT}).toSorted().flatMap(flagsIn);
  expect(found.length).toBeGreaterThan(50);
  const all = new Set([...flags.values()].flatMap((some) => [...some]));
  const unknown = found.filter(({command, flag}) => !(flags.get(command ?? '') ?? all).has(flag));
  expect(unknown.map(({where, flag}) => `${flag} in ${where}`)).toEqual([]);
});
