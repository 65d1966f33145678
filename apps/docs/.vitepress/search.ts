// What the search box finds first. VitePress writes the functions of `miniSearch` into the page, so they use nothing of
// this module.
import type {DefaultTheme} from 'vitepress';

export const searchOptions: DefaultTheme.LocalSearchOptions = {
  // The index has the words of code without their colours, which take as long as all else of a page.
  _render: (source, env, md) => {
    const {highlight} = md.options;
    md.options.highlight = null;
    try {
      return md.render(source, env);
    } finally {
      md.options.highlight = highlight;
    }
  },
  miniSearch: {
    options: {
      // The scope stands in every line that imports something, and so says nothing.
      tokenize: (text: string): string[] => text.replaceAll(/@epsball\b\/?/g, ' ').split(/[\n\r\p{Z}\p{P}\p{S}]+/u),
      // “choose” finds “choosing”, and “kilometers” finds “kilometres”.
      processTerm: (term: string): string | null => {
        const lower = term.toLowerCase().replace(/meter(s?)$/, 'metre$1');
        const stem = lower.length > 5 ? lower.replace(/(?:ing|ed|es|s|e)$/, '') : lower;
        return stem === '' ? null : stem;
      },
    },
    searchOptions: {
      fuzzy: 0.15,
      prefix: true,
      boost: {title: 6, titles: 3, text: 1},
      // Guides answer questions; a README is about one package, and the reference is for those who know the name.
      boostDocument: (id: string): number => {
        if (id.includes('/reference/')) return 0.15;
        if (id.includes('/packages/')) return 0.5;
        return /\/(?:contract|numerics|papers|architecture|performance-method)\b/.test(id) ? 0.6 : 1.5;
      },
    },
  },
};
