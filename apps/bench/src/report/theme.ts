/**
 * Colours of both themes. The hues are in a fixed order that keeps neighbours apart for colour-blind readers; the dark
 * theme has its own steps of the same hues.
 */
const LIGHT = `
  --page: #f6f5f2; --surface: #ffffff; --ink: #16181d; --ink-2: #5b606b; --grid: #e3e2dd; --edge: #dcdad3;
  --accent: #1f5fa8; --wash: #eef3f9; --bad: #b3261e; --document: #7a4b00;
  --hue-1: #2a78d6; --hue-2: #e07b1a; --hue-3: #12926a; --hue-4: #c2407f;
  --hue-5: #6a55c2; --hue-6: #b08a00; --hue-7: #4a9ec9; --hue-8: #a5603a;`;
const DARK = `
  --page: #121316; --surface: #1b1d21; --ink: #eceae6; --ink-2: #a3a7b0; --grid: #33363d; --edge: #30333a;
  --accent: #8dbcf2; --wash: #1c2632; --bad: #ff8a80; --document: #e8b565;
  --hue-1: #5b9ceb; --hue-2: #ef9a4a; --hue-3: #38b78d; --hue-4: #e274a9;
  --hue-5: #9d8cf0; --hue-6: #cfab2e; --hue-7: #79c3e8; --hue-8: #cf8f68;`;

/** Both themes as custom properties of `selector`, chosen by the reader's system. */
export function themeCss(selector: string): string {
  return `${selector} {${LIGHT}\n}\n@media (prefers-color-scheme: dark) {\n${selector} {${DARK}\n}\n}`;
}

/** The style sheet of the page; everything is inline, so that the file works offline. */
export const PAGE_CSS: string = `
${themeCss(':root')}
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 20px 72px; }
h1 { font-size: clamp(1.7rem, 4vw, 2.4rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 6px; text-wrap: balance; }
h2 { font-size: 1.5rem; letter-spacing: -0.01em; line-height: 1.25; margin: 0 0 4px; text-wrap: balance; }
h3 { font-size: 1rem; margin: 0 0 2px; }
p { margin: 0 0 10px; max-width: 74ch; }
a { color: var(--accent); }
.lead, .small, figcaption { color: var(--ink-2); }
.small, figcaption { font-size: 0.875rem; line-height: 1.45; }
.card { background: var(--surface); border: 1px solid var(--edge); border-radius: 12px; padding: 18px 20px; min-width: 0; }
.found { background: var(--wash); border-color: transparent; margin: 22px 0; padding: 20px 24px; }
.found h2 { font-size: 1.15rem; margin-bottom: 8px; }
.found h3 { margin-top: 12px; }
.found ul { margin: 4px 0 0; padding-left: 1.15em; max-width: 84ch; }
.found li { margin: 3px 0; }
.found .warning { border-left: 3px solid var(--document); padding-left: 12px; margin-top: 14px; }
.grid { display: grid; gap: 16px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 430px), 1fr)); margin: 16px 0; }
.pictures { display: grid; gap: 16px; margin: 16px 0; }
.pictures:has(> :nth-child(6)) { grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 8px 0 0; font-size: 0.9rem; }
dt { color: var(--ink-2); }
dd { margin: 0; overflow-wrap: anywhere; }
section { margin-top: 56px; padding-top: 28px; border-top: 1px solid var(--edge); }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; margin: 10px 0 4px; }
figure img { display: block; width: 100%; height: auto; max-height: 720px; object-fit: contain; margin: 0 auto 8px; }
.scroll { overflow-x: auto; margin: 12px 0; border: 1px solid var(--edge); border-radius: 12px; background: var(--surface); }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; line-height: 1.35; }
th, td { padding: 9px 14px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
tr:last-child td { border-bottom: 0; }
th { color: var(--ink-2); font-weight: 600; font-size: 0.8rem; vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; min-width: 84px; }
td:not(.number) { min-width: 130px; }
td:not(.number).faint:last-child { min-width: 180px; }
td small { display: block; color: var(--ink-2); font-size: 0.78rem; white-space: nowrap; }
.bad { color: var(--bad); font-weight: 600; }
.faint { color: var(--ink-2); }
.document { color: var(--document); }
.meter { display: block; height: 4px; border-radius: 2px; background: var(--grid); margin-top: 5px; min-width: 90px; }
.meter i { display: block; height: 100%; border-radius: 2px; background: var(--hue-1); }
.bad .meter i { background: var(--bad); }
pre { background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 10px 14px; overflow-x: auto; font-size: 0.875rem; margin: 8px 0; }
footer { margin-top: 56px; }
@media (max-width: 600px) {
  main { padding: 24px 14px 48px; }
  .card { padding: 14px; }
  .found { padding: 16px; }
  th, td { padding: 8px 10px; }
}
@media print { .card, .scroll { break-inside: avoid; } }
`;
