import type {Config, TopLevelSpec} from 'vega-lite';
import {escapeHtml} from '@epsball/cli/command';
import {slimSvg} from './slimSvg.ts';

/** Width of a chart in its own units; the page scales it. Narrow, so that a phone shows readable text. */
export const CHART_WIDTH = 400;

// Colours are CSS variables: one picture serves light and dark pages.
const INK = 'var(--ink-2)';
const GRID = 'var(--grid)';

const CONFIG: Config = {
  background: 'transparent',
  font: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  padding: {left: 2, right: 4, top: 8, bottom: 4},
  view: {stroke: null},
  axis: {
    labelColor: INK,
    titleColor: INK,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 'normal',
    gridColor: GRID,
    domainColor: GRID,
    tickColor: GRID,
    labelPadding: 5,
    titlePadding: 8,
  },
  axisY: {domain: false, ticks: false},
  axisX: {grid: false},
  text: {color: 'var(--ink)', fontSize: 12},
};

/** Draws a Vega-Lite specification as one `<svg>` that scales with its container. */
export async function renderChart(spec: TopLevelSpec, description: string): Promise<string> {
  // Loads for half a second, which a command without a chart does not take.
  const [{parse, View}, {compile}] = await Promise.all([import('vega'), import('vega-lite')]);
  const view = new View(parse(compile(spec, {config: CONFIG}).spec), {renderer: 'none'});
  try {
    const svg = await view.toSVG();
    // The viewBox alone sets the shape; fixed sizes would overflow a phone.
    return slimSvg(svg)
      .replace(/ width="[\d.]+" height="[\d.]+"/, '')
      .replace('<svg ', () => `<svg role="img" aria-label="${escapeHtml(description)}" `);
  } finally {
    view.finalize();
  }
}
