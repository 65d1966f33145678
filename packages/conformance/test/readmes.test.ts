import {globSync} from 'node:fs';
import {expect, it} from 'vitest';
import {read, readPackages, ROOT} from './workspace.ts';

/** The texts that users of published packages read, by path. */
const published = readPackages().filter(({manifest}) => manifest.private !== true);
const pages = [
  'README.md',
  ...globSync(
    ['packages/*/README.md', 'packages/*/docs/**/*.md', 'apps/*/README.md', 'apps/docs/pages/*.md', 'docs/*.md'],
    {cwd: ROOT},
  ),
];

function examplesOf(page: string): string[] {
  return [...read(page).matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
}

it('examples are for Node 22 too, which does not parse `using`', () => {
  const found = pages.flatMap((page) =>
    examplesOf(page).flatMap((code) => [...code.matchAll(/^.*\busing \w+ =.*$/gm)].map(([line]) => `${page}: ${line}`)),
  );
  expect(found).toEqual([]);
});

it.for(published)('the README of $name installs what its examples import, and names its peers', (one) => {
  const page = `${one.folder}/README.md`;
  const text = read(page);
  const specs = [...text.matchAll(/^<!-- install: (.+) -->$/gm)].flatMap(([, line]) => line.split(' '));
  const installed = new Set(specs.map(packageOf));
  const imported = examplesOf(page).flatMap((code) =>
    [...code.matchAll(/^import [^;]*?'([^'./][^']*)';$/gm)].map(([, specifier]) => packageOf(specifier)),
  );
  const missing = new Set(imported.filter((name) => !installed.has(name) && !name.startsWith('node:')));
  const unnamed = Object.keys(one.manifest.peerDependencies ?? {}).filter((name) => !text.includes(name));
  expect({missing: [...missing], unnamed}).toEqual({missing: [], unnamed: []});
});

it('install lines name the versions of peers', () => {
  const versions = new Map(published.flatMap(({manifest}) => Object.entries(manifest.peerDependencies ?? {})));
  const wrong = pages.flatMap((page) =>
    [...read(page).matchAll(/(?<=[\s`])((?:@[\w-]+\/)?[\w-]+)@(\d+\.\d+)(?=[\s`])/g)]
      .filter(([, name, version]) => versions.has(name) && !versions.get(name)?.startsWith(`^${version}.`))
      .map(([spec]) => `${page}: ${spec}`),
  );
  expect(wrong).toEqual([]);
});

/** The name in `@scope/name/subpath` or `name@version`. */
function packageOf(spec: string): string {
  return /^(?:@[^/]+\/)?[^/@]+/.exec(spec)?.[0] ?? spec;
}
