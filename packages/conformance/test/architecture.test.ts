import {existsSync, globSync} from 'node:fs';
import {join, resolve, sep} from 'node:path';
import {describe, expect, it} from 'vitest';
import {fileCircles} from './fileCircles.ts';
import {
  packageOf,
  read,
  readCatalogue,
  readPackages,
  referencesOf,
  ROOT,
  sourceFiles,
  workspaceNames,
  type Import,
  type Package,
} from './workspace.ts';

/**
 * The arrows: a package imports only from layers above its own line, never from its own line. So there is no circle,
 * and no variant imports another. `dbscan-*` is any variant: a package of that name that has no place of its own.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['clustering'],
  ['gpu', 'workers'],
  ['gpu-primitives', 'datasets', 'union-find'],
  ['spatial-grid', 'kd-tree', 'conformance'],
  ['neighbor-graph', 'cell-sets', 'shapes', 'predict'],
  ['dbscan-*', 'mean-shift', 'hdbscan', 'dbscan-dynamic'],
  ['dbscan'],
  ['scale-out'],
  ['benchmarks'],
  ['cli', 'playground', 'docs'],
  ['bench'],
];

/** Tools stand beside the layers: they import no package, and no package imports them. */
const TOOLS: readonly string[] = ['wgsl-codegen'];

/** Packages whose source only these may import; tests of any package may. */
const IMPORTED_ONLY_BY: Readonly<Record<string, readonly string[]>> = {
  conformance: ['benchmarks', 'bench'],
  datasets: ['conformance', 'benchmarks', 'scale-out', 'cli', 'playground', 'bench'],
};

/** Folders that may import optional peers: code that callers load on demand. */
const PEER_FOLDERS: readonly string[] = ['src/gpu', 'src/scaleOut'];

const LINES_MAX = 300;

const packages = readPackages();
const byName = new Map(packages.map((one) => [one.name, one]));

describe('arrows', () => {
  it('give every package a layer', () => {
    expect(packages.filter(({name}) => layerOf(name) < 0 && !TOOLS.includes(name)).map(({name}) => name)).toEqual([]);
  });

  it('are those that ARCHITECTURE.md prints', () => {
    expect(read('ARCHITECTURE.md')).toContain(`\n${LAYERS.map((line) => line.join('  ')).join('\n')}\n`);
  });

  it('name no package that is gone', () => {
    const named = [...LAYERS.flat(), ...TOOLS].filter((name) => !name.endsWith('*'));
    expect(named.filter((name) => !byName.has(name))).toEqual([]);
  });

  it('never point upward or sideways from a source file', () => {
    const wrong = packages.flatMap(({name, srcImports}) =>
      srcImports.filter(({specifier}) => {
        const target = packageOf(specifier);
        return target !== undefined && target !== name && !mayImport(name, target);
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('never point upward or sideways in the dependencies of package.json', () => {
    const wrong = packages.flatMap(({name, manifest}) =>
      declaredNames(manifest)
        .filter((target) => !mayImport(name, target))
        .map((target) => `${name} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('are exactly what package.json declares as dependencies', () => {
    const declared = packages.map(({name, manifest}) => [name, declaredNames(manifest)]);
    const used = packages.map(({name, srcImports}) => [
      name,
      [...new Set([...importedPackages(name, srcImports), ...peersOf(srcImports)])].sort(),
    ]);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(used));
  });

  it('to peers are optional, and lead from the folder of a subpath only', () => {
    const wrong = packages.flatMap(({name, folder, manifest, srcImports}) =>
      workspaceNames(manifest.peerDependencies).filter((peer) => {
        const isOptional = manifest.peerDependenciesMeta?.[`@epsball/${peer}`]?.optional === true;
        const importers = srcImports.filter(({specifier}) => packageOf(specifier) === peer);
        const isInside = (file: string): boolean =>
          PEER_FOLDERS.some((inner) => file.startsWith(`${folder}/${inner}/`));
        return !isOptional || importers.some(({file}) => !isInside(file)) || name === peer;
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('are exactly the project references of the build', () => {
    const references = packages.map(({name, folder}) => [name, referencesOf(folder)]);
    const used = packages.map(({name, srcImports}) => [name, importedPackages(name, srcImports)]);
    expect(Object.fromEntries(references)).toEqual(Object.fromEntries(used));
  });

  it('of tests are declared, as dependencies or development dependencies', () => {
    const missing = packages.flatMap(({name, manifest, testImports}) => {
      const declared = [...workspaceNames(manifest.dependencies), ...workspaceNames(manifest.devDependencies)];
      return importedPackages(name, testImports)
        .filter((target) => !declared.includes(target))
        .map((target) => `${name} -> ${target}`);
    });
    expect(missing).toEqual([]);
  });

  it('form no circle, development dependencies included', () => {
    expect(packages.map(({name}) => circleFrom(name)).filter((circle) => circle !== undefined)).toEqual([]);
  });

  it('lead from a published package to published packages only', () => {
    const wrong = packages
      .filter(({manifest}) => manifest.private !== true)
      .flatMap(({name, manifest}) => workspaceNames(manifest.dependencies).map((target) => ({name, target})))
      .filter(({target}) => byName.get(target)?.manifest.private === true);
    expect(wrong).toEqual([]);
  });
});

describe('imports', () => {
  it('reach another package only through what it exports', () => {
    const wrong = allImports().filter(({specifier}) => {
      const target = byName.get(packageOf(specifier) ?? '');
      if (target === undefined) return specifier.startsWith('@epsball/');
      const subpath = specifier.replace(`@epsball/${target.name}`, '.');
      return !Object.keys(target.manifest.exports ?? {}).includes(subpath);
    });
    expect(wrong).toEqual([]);
  });

  it('never leave the package by a relative path', () => {
    const wrong = packages.flatMap(({folder, srcImports, testImports}) =>
      [...srcImports, ...testImports].filter(
        ({file, specifier}) =>
          specifier.startsWith('.') && !resolve(ROOT, file, '..', specifier).startsWith(join(ROOT, folder) + sep),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('files', () => {
  it('import each other in no circle, type-only imports included', () => {
    expect(fileCircles(allImports())).toEqual([]);
  });
});

describe('circles of files', () => {
  it('are found through several files, and in a file that imports itself', () => {
    const imports = [
      {file: 'p/src/a.ts', specifier: './deep/b.ts'},
      {file: 'p/src/deep/b.ts', specifier: '../c.ts'},
      {file: 'p/src/c.ts', specifier: './a.ts'},
      {file: 'p/src/c.ts', specifier: './d.ts'},
      {file: 'p/src/e.ts', specifier: './e.ts'},
      {file: 'p/src/d.ts', specifier: 'vitest'},
    ];
    expect(fileCircles(imports)).toEqual([['p/src/a.ts', 'p/src/c.ts', 'p/src/deep/b.ts'], ['p/src/e.ts']]);
  });
});

describe('folders', () => {
  it(`hold no file of more than ${LINES_MAX} lines`, () => {
    const files = packages.flatMap(({folder}) => [
      ...sourceFiles(folder),
      ...globSync(`${folder}/src/**/*.wgsl`, {cwd: ROOT}),
    ]);
    const long = files.filter((file) => read(file).trimEnd().split('\n').length > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('of published packages have a README of their own and a row in the root README', () => {
    const rows = read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const published = packages.filter(({manifest}) => manifest.private !== true);
    expect(published.filter(({folder}) => !existsSync(join(ROOT, folder, 'README.md'))).map(({name}) => name)).toEqual(
      [],
    );
    const isListed = ({name}: Package): boolean =>
      rows.some((row) => row.includes(`packages/${name})`) || row.includes(`\`@epsball/${name}\``));
    expect(published.filter((one) => !isListed(one)).map(({name}) => name)).toEqual([]);
  });

  it('of published packages say on npm where they come from, and refuse npm publish', () => {
    const published = packages.filter(({manifest}) => manifest.private !== true);
    const isComplete = ({manifest, folder}: Package): boolean =>
      manifest.repository?.directory === folder &&
      manifest.homepage?.includes(`/${folder}#`) === true &&
      manifest.bugs !== undefined &&
      (manifest.keywords ?? []).length > 0 &&
      (manifest.files ?? []).includes('CHANGELOG.md') &&
      manifest.scripts?.['prepublishOnly'] === 'node ../../.config/prepublish.mjs';
    expect(published.filter((one) => !isComplete(one)).map(({name}) => name)).toEqual([]);
  });

  it('of variants are the rows of the catalogue', async () => {
    const catalogue = await readCatalogue();
    const variants = packages.filter(({name}) => name.startsWith('dbscan-') && !LAYERS.flat().includes(name));
    expect(catalogue.map((row) => row.package).sort()).toEqual(variants.map(({manifest}) => manifest.name).sort());
    expect(catalogue.map((row) => `@epsball/dbscan-${row.id}`)).toEqual(catalogue.map((row) => row.package));
  });

  it('hold a conformance test for every row of the catalogue, and for nothing else', async () => {
    const expected = (await readCatalogue()).map((row) => `packages/dbscan/test/conformance.${row.id}.test.ts`);
    expect(globSync('packages/dbscan/test/conformance.*', {cwd: ROOT}).sort()).toEqual(expected.sort());
  });
});

function allImports(): Import[] {
  return packages.flatMap(({srcImports, testImports}) => [...srcImports, ...testImports]);
}

function importedPackages(own: string, imports: readonly Import[]): string[] {
  const names = imports.map(({specifier}) => packageOf(specifier)).filter((name) => name !== undefined);
  return [...new Set(names)].filter((name) => name !== own).sort();
}

/** Dependencies and peers. */
function declaredNames({dependencies, peerDependencies}: Package['manifest']): string[] {
  return [...workspaceNames(dependencies), ...workspaceNames(peerDependencies)].sort();
}

/** What the imported subpaths of other packages need beside these packages: whoever imports them brings it along. */
function peersOf(imports: readonly Import[]): string[] {
  return imports
    .filter(({specifier}) => specifier.endsWith('/gpu'))
    .flatMap(({specifier}) => workspaceNames(byName.get(packageOf(specifier) ?? '')?.manifest.peerDependencies));
}

function layerOf(name: string): number {
  const layer = LAYERS.findIndex((names) => names.includes(name));
  return layer < 0 && name.startsWith('dbscan-') ? LAYERS.findIndex((names) => names.includes('dbscan-*')) : layer;
}

function mayImport(from: string, target: string): boolean {
  const isTool = TOOLS.includes(from) || TOOLS.includes(target);
  const importers = IMPORTED_ONLY_BY[target];
  return !isTool && layerOf(target) < layerOf(from) && (importers === undefined || importers.includes(from));
}

/** Path along dependencies of both kinds that ends where it began. */
function circleFrom(start: string): string[] | undefined {
  const seen = new Set<string>();
  const visit = (name: string, path: readonly string[]): string[] | undefined => {
    const manifest = byName.get(name)?.manifest;
    for (const next of [...workspaceNames(manifest?.dependencies), ...workspaceNames(manifest?.devDependencies)]) {
      if (next === start) return [...path, name, next];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = visit(next, [...path, name]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  return visit(start, []);
}
