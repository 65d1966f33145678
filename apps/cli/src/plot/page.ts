import {escapeHtml} from '../escape.ts';
import {FONT_FAMILY, num, themeStyle, type Theme} from './svg.ts';

export interface Page {
  readonly title: string;
  readonly subtitle: string;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  /** Where title and content begin. */
  readonly left: number;
  /** Names the kind of plot in a class. */
  readonly kind: string;
}

/** A plot as one self-contained SVG: a title, a line below it, and the content. */
export function drawPage({title, subtitle, theme, width, height, left, kind}: Page, content: string): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" class="eb-${kind}" font-family="${FONT_FAMILY}" role="img" aria-label="${escapeHtml(`${title}: ${subtitle}`)}">`,
    themeStyle(theme),
    `<rect class="eb-page" width="${width}" height="${height}"/>`,
    `<text class="eb-ink" x="${left}" y="36" font-size="21" font-weight="600">${escapeHtml(title)}</text>`,
    `<text class="eb-muted" x="${left}" y="60" font-size="14">${escapeHtml(subtitle)}</text>`,
    content,
    '</svg>',
  ].join('\n');
}

/** An axis beside a plot area. */
export interface Axis {
  readonly name: string;
  /** Places of the marks, in pixels of the area. */
  readonly marks: readonly {readonly at: number; readonly label: string}[];
  /** Pixels from the area to the middle of the name. */
  readonly gap: number;
}

/** Grid lines, labels and the name of an axis on the left of an area or below it. */
export function drawAxis(
  side: 'left' | 'bottom',
  {name, marks, gap}: Axis,
  {width, height}: {readonly width: number; readonly height: number},
): string {
  const isLeft = side === 'left';
  const drawn = marks.map(({at, label}) => {
    const line = isLeft ? `M0 ${num(at)}H${width}` : `M${num(at)} 0V${height}`;
    const place = isLeft ? `x="-10" y="${num(at + 4)}"` : `x="${num(at)}" y="${height + 20}"`;
    return (
      `<path class="eb-grid" d="${line}"/>` +
      `<text class="eb-muted" ${place} font-size="12" text-anchor="${isLeft ? 'end' : 'middle'}">${label}</text>`
    );
  });
  const [x, y] = isLeft ? [-gap, height / 2] : [width / 2, height + gap];
  const turn = isLeft ? ` transform="rotate(-90 ${num(x)} ${num(y)})"` : '';
  return `${drawn.join('')}<text class="eb-muted" x="${num(x)}" y="${num(y)}" font-size="13" text-anchor="middle"${turn}>${escapeHtml(name)}</text>`;
}
