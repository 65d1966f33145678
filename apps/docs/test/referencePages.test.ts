import {expect, it} from 'vitest';
import {divideReference} from '../scripts/referencePages.ts';

const FILLER = 'line\n'.repeat(160);

/** A module as typedoc writes it: a function, a type that it takes, a type that nothing takes, and a re-export. */
const MODULE = `# @epsball/dbscan

The README.

## Functions

<a id="alpha"></a>

### alpha()

> **alpha**(): [\`PointSet\`](../clustering/src.md#pointset)

First. Second.

${FILLER}
***

<a id="dbscan"></a>

### dbscan()

> **dbscan**(\`options\`: [\`Options\`](#options)): \`void\`

Clusters points. More.

#### Throws

nothing

## Interfaces

<a id="lone"></a>

### Lone

<a id="options"></a>

### Options

As [alpha](#alpha).

## From other packages

<a id="pointset"></a>

### PointSet

Re-exports [PointSet](../clustering/src.md#pointset)
`;
const CLUSTERING = '# @epsball/clustering\n\n## Interfaces\n\n<a id="pointset"></a>\n\n### PointSet\n\nPoints.\n';

const pages = divideReference(
  new Map([
    ['index.md', '- [@epsball/dbscan](dbscan/src.md)\n'],
    ['dbscan/src.md', MODULE],
    ['clustering/src.md', CLUSTERING],
  ]),
);

it('gives each function a page, with the types that it takes', () => {
  expect([...pages.keys()].toSorted()).toEqual([
    'clustering/index.md',
    'dbscan/alpha.md',
    'dbscan/dbscan.md',
    'dbscan/index.md',
    'dbscan/types.md',
    'index.md',
  ]);
  const page = pages.get('dbscan/dbscan.md') ?? '';
  expect([...page.matchAll(/^#+ .*$/gm)].map(([heading]) => heading)).toEqual([
    '# dbscan()',
    '## Throws',
    '## Options',
  ]);
  expect(page).toContain("`import {dbscan} from '@epsball/dbscan'`");
});

it('lists the function of the package first, with its first sentence', () => {
  const rows = (pages.get('dbscan/index.md') ?? '').split('\n').filter((line) => line.startsWith('| ['));
  expect(rows).toEqual([
    '| [dbscan()](/reference/dbscan/dbscan#dbscan) | Clusters points. | [Options](/reference/dbscan/dbscan#options) |',
    '| [alpha()](/reference/dbscan/alpha#alpha) | First. |  |',
    '| [Lone](/reference/dbscan/types#lone) |  |  |',
  ]);
});

it('leads links to the pages where symbols are now', () => {
  expect(pages.get('index.md')).toBe('- [@epsball/dbscan](/reference/dbscan/)\n');
  expect(pages.get('dbscan/alpha.md')).toContain('(/reference/clustering/#pointset)');
  expect(pages.get('dbscan/dbscan.md')).toContain('[alpha](/reference/dbscan/alpha#alpha)');
  expect(pages.get('dbscan/index.md')).toContain('<a id="pointset"></a>[PointSet](/reference/clustering/#pointset)');
});
