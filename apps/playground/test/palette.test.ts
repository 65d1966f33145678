import {expect, it} from 'vitest';
import {CLUSTER_COLORS, COLOR_COUNT, NOISE_COLORS} from '@epsball/clustering/palette';
import {colourText, paletteOf, setColourText} from '../src/draw/palette.ts';

it('has the colours of all plots', () => {
  for (const theme of ['light', 'dark'] as const) {
    const palette = paletteOf(theme);
    expect(palette.length).toBe(4 * (COLOR_COUNT + 3));
    expect(colourText(palette, 1)).toBe(NOISE_COLORS[theme]);
    for (const [k, color] of CLUSTER_COLORS[theme].entries()) {
      expect(colourText(palette, 3 + k)).toBe(color);
      expect(setColourText(k + COLOR_COUNT, theme)).toBe(color);
    }
  }
});
