import {globSync} from 'node:fs';
import {join} from 'node:path';
import {defineConfig} from 'vitepress';

const SITE = join(import.meta.dirname, '../site');

export default defineConfig({
  title: 'epsball',
  description: 'Density-based clustering with the labels of scikit-learn, on GPU and CPU',
  srcDir: 'site',
  cleanUrls: true,
  // A dead link fails the build.
  ignoreDeadLinks: false,
  markdown: {
    lineNumbers: false,
    // A line that takes longer than 500 ms, as the first one on a busy machine, would stay without colours.
    codeTransformers: [
      {
        name: 'no-time-limit',
        preprocess(_code, options) {
          options.tokenizeTimeLimit = 0;
        },
      },
    ],
  },
  head: [['link', {rel: 'icon', type: 'image/svg+xml', href: '/icon.svg'}]],
  themeConfig: {
    logo: '/icon.svg',
    search: {provider: 'local'},
    // Pages of the reference have their names at the third level.
    outline: [2, 3],
    nav: [
      {text: 'Start', link: '/start'},
      {text: 'Packages', link: '/packages/dbscan'},
      {text: 'Reference', link: '/reference/'},
      {text: 'Papers', link: '/papers'},
    ],
    sidebar: [
      {
        text: 'Getting started',
        items: [
          {text: 'Three ways in', link: '/start'},
          {text: 'You know scikit-learn', link: '/start-gps'},
          {text: 'You have a paper’s table', link: '/start-paper'},
          {text: 'You compare designs', link: '/start-designs'},
        ],
      },
      {
        text: 'Guides',
        items: [
          {text: 'Variant and parameters', link: '/choosing'},
          {text: 'HDBSCAN* in practice', link: '/hdbscan'},
          {text: 'GPUs', link: '/gpu'},
          {text: 'Browsers and bundlers', link: '/browsers'},
          {text: 'Performance', link: '/performance'},
          {text: 'Adding a variant', link: '/architecture'},
        ],
      },
      {
        text: 'Definitions',
        items: [
          {text: 'The contract', link: '/contract'},
          {text: 'Numerics', link: '/numerics'},
          {text: 'Papers', link: '/papers'},
        ],
      },
      {text: 'Packages', collapsed: true, items: pagesOf('packages')},
      {text: 'Reference', collapsed: true, items: pagesOf('reference')},
    ],
  },
});

/** The pages of a part of the site, those of subpaths included. */
function pagesOf(part: string): {text: string; link: string}[] {
  const files = globSync('**/*.md', {cwd: join(SITE, part)}).filter((file) => file !== 'index.md');
  const pages = files.map((file) => file.replace(/\.md$/, '').replace(/\/index$/, ''));
  return pages.sort().map((page) => ({text: page.replace(/\/src(?=\/|$)/, ''), link: `/${part}/${page}`}));
}
