import {CLUSTER_COLORS, COLOR_COUNT, type Tone} from '@epsball/clustering/palette';

/** Colours of both themes. The hues are those of clusters. Marks and words tell apart what hues tell apart. */
const LIGHT = `
  --page: #f6f5f2; --surface: #ffffff; --ink: #16181d; --ink-2: #5b606b; --grid: #e3e2dd; --edge: #dcdad3;
  --accent: #1f5fa8; --wash: #eef3f9; --bad: #b3261e; --document: #7a4b00; --yes: #1d7a46; --close: #6b5a00;
  --shadow: rgb(0 0 0 / 22%);`;
const DARK = `
  --page: #121316; --surface: #1b1d21; --ink: #eceae6; --ink-2: #a3a7b0; --grid: #33363d; --edge: #30333a;
  --accent: #8dbcf2; --wash: #1c2632; --bad: #ff8a80; --document: #e8b565; --yes: #6fd19a; --close: #d8c25a;
  --shadow: rgb(255 255 255 / 26%);`;

/** Both themes as custom properties of `selector`, chosen by the reader's system. */
export function themeCss(selector: string): string {
  return `${selector} {${LIGHT}${hues('light')}\n}\n@media (prefers-color-scheme: dark) {\n${selector} {${DARK}${hues('dark')}\n}\n}`;
}

/** The colour of the place-th thing of a chart. */
export function hueAt(place: number): string {
  return `var(--hue-${(place % COLOR_COUNT) + 1})`;
}

function hues(tone: Tone): string {
  return CLUSTER_COLORS[tone].map((color, k) => ` --hue-${k + 1}: ${color};`).join('');
}
