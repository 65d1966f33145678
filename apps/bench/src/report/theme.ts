/**
 * Colours of both themes. The hues are in a fixed order that keeps neighbours apart for colour-blind readers; the dark
 * theme has its own steps of the same hues. Marks and words tell apart what hues tell apart.
 */
const LIGHT = `
  --page: #f6f5f2; --surface: #ffffff; --ink: #16181d; --ink-2: #5b606b; --grid: #e3e2dd; --edge: #dcdad3;
  --accent: #1f5fa8; --wash: #eef3f9; --bad: #b3261e; --document: #7a4b00; --yes: #1d7a46; --close: #6b5a00;
  --hue-1: #2a78d6; --hue-2: #e07b1a; --hue-3: #12926a; --hue-4: #c2407f; --hue-5: #6a55c2; --hue-6: #7d6b00;
  --hue-7: #3b7f9f; --hue-8: #a5603a; --shadow: rgb(0 0 0 / 22%);`;
const DARK = `
  --page: #121316; --surface: #1b1d21; --ink: #eceae6; --ink-2: #a3a7b0; --grid: #33363d; --edge: #30333a;
  --accent: #8dbcf2; --wash: #1c2632; --bad: #ff8a80; --document: #e8b565; --yes: #6fd19a; --close: #d8c25a;
  --hue-1: #5b9ceb; --hue-2: #ef9a4a; --hue-3: #38b78d; --hue-4: #e274a9; --hue-5: #9d8cf0; --hue-6: #cfab2e;
  --hue-7: #79c3e8; --hue-8: #cf8f68; --shadow: rgb(255 255 255 / 26%);`;

/** Both themes as custom properties of `selector`, chosen by the reader's system. */
export function themeCss(selector: string): string {
  return `${selector} {${LIGHT}\n}\n@media (prefers-color-scheme: dark) {\n${selector} {${DARK}\n}\n}`;
}

/** The colour of the place-th thing of a chart. */
export function hueAt(place: number): string {
  return `var(--hue-${(place % 8) + 1})`;
}
