/** `auto` follows the reader's light or dark setting. */
export type Theme = 'auto' | 'light' | 'dark';

/** With single quotes: double quotes end the attribute around it. */
export const FONT_FAMILY = "'Inter','Segoe UI','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif";

const LIGHT = {page: '#ffffff', ink: '#1b1f24', muted: '#626a73', grid: '#e9ecef'};
const DARK = {page: '#14171b', ink: '#eceff2', muted: '#9aa3ad', grid: '#272c33'};

/** The style element of a plot. Class names start with `eb-`, because inline SVG shares the page's styles. */
export function themeStyle(theme: Theme): string {
  if (theme !== 'auto') return `<style>${rules(theme === 'dark' ? DARK : LIGHT)}</style>`;
  return `<style>${rules(LIGHT)}@media (prefers-color-scheme: dark){${rules(DARK)}}</style>`;
}

function rules({page, ink, muted, grid}: typeof LIGHT): string {
  return (
    `.eb-page{fill:${page}}.eb-ink{fill:${ink}}.eb-muted{fill:${muted}}` +
    `.eb-grid{stroke:${grid};fill:none}.eb-edge{stroke:${muted};fill:none}.eb-way{stroke:${ink};fill:none}`
  );
}

/** A coordinate, rounded to a hundredth of a pixel. */
export function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}
