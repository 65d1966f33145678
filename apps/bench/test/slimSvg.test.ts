import {describe, expect, it} from 'vitest';
import {slimSvg} from '../src/report/slimSvg.ts';

describe('slimSvg', () => {
  it('keeps a tenth of a pixel, and drops roles, classes and what is not drawn', () => {
    const background = '<path class="background" aria-hidden="true" d="M0,0h238.5v250h-238.5Z"/>';
    const vega = `<g class="mark" role="graphics-object" transform="translate(0.123,4.56)">${background}<path d="M0.05,1.239L2,3" stroke="red"/><path class="foreground" d="" display="none"/></g>`;
    expect(slimSvg(vega)).toBe('<g transform="translate(0.1,4.5)"><path d="M0,1.2L2,3" stroke="red"/></g>');
  });

  it('drops defaults and paths without paint, and sets the font once', () => {
    const text = '<text font-family="Segoe &quot;UI&quot;" font-size="12px" opacity="1" y="10.04">1k</text>';
    const vega = `<svg viewBox="0 0 9 9"><g><path d="M0,0L1,1"/></g>${text}<line x2="0" y2="5.06" stroke="red"/></svg>`;
    expect(slimSvg(vega)).toBe(
      '<svg font-family="Segoe &quot;UI&quot;" font-size="12px" viewBox="0 0 9 9"><text y="10">1k</text><line y2="5" stroke="red"/></svg>',
    );
  });

  it('makes the words of a mark a title, and drops what Vega makes of its fields', () => {
    expect(slimSvg('<path aria-label="pds: 2.00 ms at points 10" d="M0,0"/>')).toBe(
      '<path d="M0,0"><title>pds: 2.00 ms at points 10</title></path>',
    );
    expect(slimSvg('<path aria-label="x: 1; y: 2; color: var(--hue-1)" d="M0,0"></path>')).toBe('<path d="M0,0"/>');
    expect(slimSvg('<text aria-label="bar: 0; lines: a">1.250 ms</text>')).toBe('<text>1.250 ms</text>');
  });

  it('draws round marks as circles, and drops groups that say nothing', () => {
    const arcs = 'd="M3.3,0A3.3,3.3,0,1,1,-3.3,0A3.3,3.3,0,1,1,3.3,0"';
    const label = 'aria-label="pds: 2.00 ms at points 10"';
    const dots = `<path ${label} transform="translate(-1.26,20)" ${arcs} fill="red"/><path ${arcs} fill="blue"></path>`;
    expect(slimSvg(`<g><g stroke="red"><g>${dots}</g></g><g></g></g>`)).toBe(
      '<g stroke="red"><circle cx="-1.2" cy="20" r="3.3" fill="red"><title>pds: 2.00 ms at points 10</title></circle>' +
        '<circle cx="0" cy="0" r="3.3" fill="blue"/></g>',
    );
    expect(slimSvg('<path transform="translate(1,2)" d="M0,0L1,1" fill="red"/>')).toBe(
      '<path transform="translate(1,2)" d="M0,0L1,1" fill="red"/>',
    );
  });

  it('sets the outline of adjacent round marks once', () => {
    const dot = (fill: string): string =>
      `<path d="M2,0A2,2,0,1,1,-2,0A2,2,0,1,1,2,0" fill="${fill}" stroke="white" stroke-width="1.2"/>`;
    expect(slimSvg(`<g>${dot('red')}${dot('blue')}</g><g>${dot('red')}</g>`)).toBe(
      '<g stroke="white" stroke-width="1.2"><circle cx="0" cy="0" r="2" fill="red"/>' +
        '<circle cx="0" cy="0" r="2" fill="blue"/><circle cx="0" cy="0" r="2" fill="red"/></g>',
    );
  });
});
