import {expect, it} from 'vitest';
import {COLOURS, oklchToRgb, paletteOf, setColour} from '../src/draw/palette.ts';

it('converts OKLCH as CSS Color 4 does', () => {
  // oklch(0.62796 0.25768 29.234) is red, oklch(1 0 0) is white.
  for (const [colour, expected] of [
    [oklchToRgb(0.62796, 0.25768, 29.234), [1, 0, 0]],
    [oklchToRgb(1, 0, 0), [1, 1, 1]],
    [oklchToRgb(0, 0, 0), [0, 0, 0]],
  ] as const) {
    colour.forEach((component, k) => expect(component).toBeCloseTo(expected[k], 2));
  }
});

it('gives neighbouring numbers colours that are far apart, in both themes', () => {
  for (const theme of ['light', 'dark'] as const) {
    const colours = Array.from({length: COLOURS}, (_, k) => oklchToRgb(...setColour(k, theme)));
    for (let k = 0; k < COLOURS; k++) {
      const [a, b] = [colours[k], colours[(k + 1) % COLOURS]];
      expect(Math.hypot(...a.map((component, c) => component - b[c])), `${theme} ${k}`).toBeGreaterThan(0.15);
    }
    expect(new Set(colours.map((colour) => colour.map((c) => c.toFixed(2)).join())).size).toBe(COLOURS);
    expect(paletteOf(theme).length).toBe(4 * (COLOURS + 3));
  }
});
