import {defineConfig, type MarkdownRenderer} from 'vitepress';
import {searchOptions} from './search.ts';
import {pagesByPurpose} from './sidebar.ts';

/** Colours of the theme that are too pale to read, and formulas of the reference that are wider than a telephone. */
const STYLE =
  '.vp-doc pre:not([class]) {white-space: pre-wrap} html:root {--vp-code-lang-color: var(--vp-c-text-2)} html:root:not(.dark) {--vp-button-brand-bg: var(--vp-c-brand-1)}';

/** Renders an empty head cell as a data cell, because it names no column. */
function withoutEmptyHeads({renderer}: MarkdownRenderer): void {
  for (const [rule, beside] of [
    ['th_open', 1],
    ['th_close', -1],
  ] as const) {
    renderer.rules[rule] = (tokens, k, options) => {
      if (tokens[k + beside].content === '') tokens[k].tag = 'td';
      return renderer.renderToken(tokens, k, options);
    };
  }
}

export default defineConfig({
  title: 'epsball',
  description: 'Density-based clustering with the labels of scikit-learn, on GPU and CPU',
  srcDir: 'site',
  cleanUrls: true,
  // A dead link fails the build.
  ignoreDeadLinks: false,
  markdown: {
    // Words in the usual colours of GitHub are too pale to read.
    theme: {light: 'github-light-high-contrast', dark: 'github-dark-high-contrast'},
    lineNumbers: false,
    config: withoutEmptyHeads,
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
  head: [
    ['link', {rel: 'icon', type: 'image/svg+xml', href: '/icon.svg'}],
    ['style', {}, STYLE],
  ],
  // The first page of the theme has no main landmark.
  transformHtml: (code) => code.replace('<div class="VPHome"', '<div role="main" class="VPHome"'),
  themeConfig: {
    logo: '/icon.svg',
    search: {provider: 'local', options: searchOptions},
    // Pages of the reference have their names at the third level.
    outline: [2, 3],
    nav: [
      {text: 'Start', link: '/start'},
      {text: 'Guides', link: '/how-dbscan-works'},
      {text: 'Reference', link: '/reference/dbscan/'},
      {text: 'Report', link: '/report/', target: '_self'},
      {text: 'Playground', link: '/playground/', target: '_self'},
    ],
    // One list of all on every page would be a fifth of the site's bytes, and an eighth of the time that it takes.
    sidebar: {
      '/reference/': pagesByPurpose('reference'),
      '/': [
        {
          text: 'Getting started',
          items: [
            {text: 'Start', link: '/start'},
            {text: 'How DBSCAN works', link: '/how-dbscan-works'},
            {text: 'How HDBSCAN* works', link: '/how-hdbscan-works'},
            {text: 'From scikit-learn, Turf or R', link: '/coming-from'},
            {text: 'The command', link: '/packages/cli'},
          ],
        },
        {
          text: 'Guides',
          items: [
            {text: 'Choosing eps and minPts', link: '/choosing'},
            {text: 'Which variant', link: '/variants'},
            {text: 'Places on a map', link: '/start-gps'},
            {text: 'HDBSCAN* in practice', link: '/hdbscan'},
            {text: 'GPUs', link: '/gpu'},
            {text: 'Browsers and bundlers', link: '/browsers'},
            {text: 'Data beyond memory', link: '/scale-out'},
            {text: 'Performance', link: '/performance'},
            {text: 'Errors', link: '/errors'},
          ],
        },
        {
          text: 'Papers and designs',
          items: [
            {text: 'Four papers', link: '/four-papers'},
            {text: 'Compute a paper’s table', link: '/start-paper'},
            {text: 'Compare designs', link: '/start-designs'},
            {text: 'Papers, line by line', link: '/papers'},
            {text: 'Adding a variant', link: '/architecture'},
          ],
        },
        {
          text: 'Definitions',
          items: [
            {text: 'The contract', link: '/contract'},
            {text: 'Numerics', link: '/numerics'},
            {text: 'How times are measured', link: '/performance-method'},
          ],
        },
        {text: 'Packages', items: pagesByPurpose('packages')},
        {text: 'Reference', link: '/reference/dbscan/'},
      ],
    },
  },
});
