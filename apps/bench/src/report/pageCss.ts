import {themeCss} from './theme.ts';

/** The style sheet of the page; everything is inline, so that the file works offline. */
export const PAGE_CSS: string = `
${themeCss(':root')}
:root { color-scheme: light dark; scroll-padding-top: 12px; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1160px; margin: 0 auto; padding: 22px 20px 72px; }
h1 { font-size: clamp(1.4rem, 3vw, 1.9rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 2px; text-wrap: balance; }
h2 { font-size: 1.35rem; letter-spacing: -0.01em; line-height: 1.25; margin: 0 0 4px; text-wrap: balance; }
h3 { font-size: 1.05rem; margin: 0 0 2px; }
h4 { font-size: 0.95rem; margin: 14px 0 2px; }
.card > h4 { margin-top: 0; }
p { margin: 0 0 10px; max-width: 84ch; }
a { color: var(--accent); }
a.self { color: inherit; text-decoration: none; }
a.self:hover::after { content: " #"; color: var(--ink-2); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 8px; top: 8px; background: var(--surface); padding: 6px 10px; z-index: 2; }
.lead, .small, figcaption { color: var(--ink-2); }
.small, figcaption { font-size: 0.86rem; line-height: 1.45; }
.card { background: var(--surface); border: 1px solid var(--edge); border-radius: 10px; padding: 14px 16px; min-width: 0; }
.warning { border-left: 4px solid var(--document); background: var(--wash); padding: 8px 12px; margin: 10px 0; max-width: none; }
section { margin-top: 44px; padding-top: 22px; border-top: 1px solid var(--edge); }
section#scoreboard, section#matrix, section#comparison { margin-top: 14px; padding-top: 0; border-top: 0; }
section#matrix { margin-top: 28px; }
.score-cards { columns: 2; column-gap: 14px; }
.score { break-inside: avoid; padding: 8px 12px; margin-bottom: 12px; }
.score h3 { font-size: 0.92rem; }
.score table { font-size: 0.78rem; line-height: 1.25; table-layout: fixed; }
.score th, .score td { padding: 3px 5px; overflow-wrap: anywhere; }
.score thead th { font-size: 0.7rem; padding: 0 5px; }
.score tbody th { font-weight: 400; width: 38%; color: var(--ink); font-size: inherit; vertical-align: top; }
.score thead th:nth-child(1) { width: 36%; } .score thead th:nth-child(2) { width: 31%; } .score thead th:nth-child(4) { width: 26px; }
.score td small, .claims td small, .claims th small { white-space: normal; }
.claims th { font-weight: 400; min-width: 170px; vertical-align: top; color: var(--ink); }
.claims td { min-width: 150px; }
.badge { display: inline-block; min-width: 1.35em; text-align: center; border-radius: 4px; font-weight: 700; color: var(--ink-2); }
.badge.yes { color: var(--yes); } .badge.no { color: var(--no); }
.found { background: var(--wash); border-color: transparent; margin-top: 22px; }
.found h2 { font-size: 1.15rem; }
.found ul { margin: 4px 0 8px; padding-left: 1.15em; max-width: 96ch; }
details > summary { cursor: pointer; color: var(--accent); margin: 8px 0; }
.sizes { border: 0; margin: 0 0 8px; padding: 0; display: flex; flex-wrap: wrap; gap: 4px; align-items: center; font-size: 0.85rem; }
.sizes legend { float: left; margin-right: 8px; color: var(--ink-2); }
.sizes input { position: absolute; opacity: 0; }
.sizes label { border: 1px solid var(--edge); border-radius: 14px; padding: 1px 10px; cursor: pointer; background: var(--surface); }
.sizes input:checked + label { background: var(--accent); border-color: var(--accent); color: var(--surface); }
.sizes input:focus-visible + label { outline: 2px solid var(--ink); outline-offset: 1px; }
.matrix th[scope="row"] { font-weight: 400; color: var(--ink); position: sticky; left: 0; background: var(--surface); min-width: 150px; }
.matrix .winner { font-weight: 700; background: var(--wash); }
.swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 5px; }
.entry { margin-top: 28px; scroll-margin-top: 12px; }
.grid { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr)); margin: 12px 0; }
.grid > :only-child { max-width: 620px; }
.pictures { display: grid; gap: 14px; margin: 12px 0; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); }
.pictures.many { grid-template-columns: repeat(auto-fit, minmax(min(100%, 250px), 1fr)); }
.pictures > :only-child { max-width: 760px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 16px; margin: 8px 0 0; font-size: 0.88rem; }
dt { color: var(--ink-2); }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; margin: 8px 0 4px; }
figure img { display: block; width: 100%; height: auto; max-height: 640px; object-fit: contain; margin: 0 auto 8px; }
.scroll { overflow-x: auto; margin: 8px 0 14px; border: 1px solid var(--edge); border-radius: 10px; background:
  linear-gradient(to right, var(--surface) 30%, transparent) left / 40px 100% no-repeat local,
  linear-gradient(to left, var(--surface) 30%, transparent) right / 40px 100% no-repeat local,
  linear-gradient(to right, var(--shadow), transparent) left / 14px 100% no-repeat scroll,
  linear-gradient(to left, var(--shadow), transparent) right / 14px 100% no-repeat scroll, var(--surface); }
:root { --shadow: rgb(0 0 0 / 22%); }
@media (prefers-color-scheme: dark) { :root { --shadow: rgb(255 255 255 / 26%); } }
table { border-collapse: collapse; width: 100%; font-size: 0.86rem; line-height: 1.35; }
th, td { padding: 6px 10px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
tr:last-child td, tr:last-child > th[scope="row"] { border-bottom: 0; }
th { color: var(--ink-2); font-weight: 600; font-size: 0.78rem; vertical-align: bottom; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; cursor: pointer; }
th[aria-sort="ascending"] button::after { content: " ↑"; } th[aria-sort="descending"] button::after { content: " ↓"; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; min-width: 70px; }
td:not(.number) { min-width: 110px; }
td.long:not(.number) { min-width: 300px; }
.score td:not(.number) { min-width: 0; }
td small, th small { display: block; color: var(--ink-2); font-size: 0.74rem; font-weight: 400; white-space: nowrap; }
small.wrap { white-space: normal; max-width: 46ch; }
.bad, .slower, .wrong { color: var(--bad); font-weight: 600; }
.faster { color: var(--yes); font-weight: 600; }
.faint { color: var(--ink-2); }
.document { color: var(--document); }
.meter { display: block; height: 4px; border-radius: 2px; background: var(--grid); margin-top: 5px; min-width: 90px; }
.meter i { display: block; height: 100%; border-radius: 2px; background: var(--hue-1); }
.bad .meter i { background: var(--bad); }
pre { background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 10px 14px; overflow-x: auto; font-size: 0.84rem; margin: 8px 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: 10px; font-size: 0.94em; }
nav p { margin: 10px 0 2px; font-weight: 600; color: var(--ink-2); }
nav a { display: block; padding: 1.5px 0; text-decoration: none; color: var(--ink-2); }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav.side { display: none; }
.top-contents { margin: 6px 0; }
@media screen and (min-width: 1320px) {
  body { display: grid; grid-template-columns: 232px minmax(0, 1fr); }
  nav.side { display: block; position: sticky; top: 0; align-self: start; height: 100vh; overflow-y: auto; padding: 20px 8px 40px 18px; font-size: 0.76rem; line-height: 1.3; border-right: 1px solid var(--edge); }
  .top-contents { display: none; }
}
@media (max-width: 760px) {
  main { padding: 16px 12px 48px; }
  .score-cards { columns: 1; }
  .card { padding: 12px; }
  th, td { padding: 5px 8px; }
}
footer { margin-top: 48px; }
@media print {
  nav.side, .top-contents, .skip, .sizes { display: none; }
  body { font-size: 10pt; background: none; }
  main { max-width: none; padding: 0; }
  section { margin-top: 14pt; padding-top: 8pt; }
  h2, h3, h4 { break-after: avoid; }
  figure, .score, tr { break-inside: avoid; }
  .grid { grid-template-columns: 1fr 1fr; }
  .scroll { overflow: visible; background: none; border: 0; }
  table { font-size: 7.5pt; }
  .score table { font-size: 7pt; }
  th, td, .number { padding: 2px 4px; min-width: 0 !important; white-space: normal; overflow-wrap: anywhere; }
  th, td small, th small { white-space: normal; font-size: 6.5pt; }
  .matrix td, .matrix th, .matrix small { font-size: 6pt; }
  .matrix td, .matrix thead th { overflow-wrap: normal; }
  details:not([open]) > summary { display: none; }
}
`;
