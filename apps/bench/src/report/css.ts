import {themeCss} from './theme.ts';

/** The style sheet of the page; everything is inline, so that the file works offline. */
export const PAGE_CSS: string = `
${themeCss(':root')}
:root { color-scheme: light dark; scroll-padding-top: 12px; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 16px 20px 60px; }
h1 { font-size: 1.5rem; line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 4px; }
h2 { font-size: 1.25rem; line-height: 1.25; margin: 0 0 4px; }
h3 { font-size: 1.02rem; margin: 0; display: inline; }
h4, .front h2 { font-size: 0.92rem; margin: 10px 0 2px; }
.card > h4, .front .card > h2 { margin-top: 0; }
p { margin: 0 0 8px; max-width: 100ch; }
a { color: var(--accent); }
a.self { color: inherit; text-decoration: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.lead, .small, figcaption, .legend { color: var(--ink-2); }
.small, figcaption { font-size: 0.84rem; line-height: 1.4; }
.card { background: var(--surface); border: 1px solid var(--edge); border-radius: 10px; padding: 10px 14px; min-width: 0; }
.warning { border-left: 4px solid var(--document); background: var(--wash); padding: 6px 10px; margin: 6px 0; max-width: none; font-size: 0.9rem; }
section { margin-top: 30px; padding-top: 16px; border-top: 1px solid var(--edge); }
section#front { margin-top: 6px; padding-top: 0; border-top: 0; }
.front { display: grid; gap: 16px; grid-template-columns: minmax(0, 460px) minmax(0, 1fr); align-items: start; }
.front h2:first-child { margin-top: 0; }
.claims-head { margin: 12px 0 4px; font-weight: 600; }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 6px; padding: 0; }
.counts li { background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 4px 12px; }
.counts b { font-size: 1.25rem; }
.holds { color: var(--yes); } .fails { color: var(--bad); } .close { color: var(--close); } .partly, .not-run { color: var(--ink-2); }
.badge { font-weight: 700; }
.claims { list-style: none; padding: 0; margin: 4px 0; }
.claims > li { margin: 6px 0; max-width: 110ch; }
.claims small { display: block; color: var(--ink-2); }
.claims table { width: auto; }
.claims details > summary { font-size: 0.78rem; margin: 0; }
article { margin-top: 12px; }
details > summary { cursor: pointer; color: var(--accent); margin: 6px 0; }
details > summary h2, details > summary h3 { display: inline; color: var(--ink); }
.grid { display: grid; gap: 14px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 360px), 1fr)); margin: 8px 0; }
.grid > :only-child, .suite > figure { max-width: 560px; }
.pictures { display: grid; gap: 12px; margin: 8px 0; grid-template-columns: repeat(auto-fit, minmax(min(100%, 300px), 1fr)); }
.pictures.many { grid-template-columns: repeat(auto-fit, minmax(min(100%, 190px), 1fr)); }
.pictures > :only-child { max-width: 360px; }
figure { margin: 0; }
figure > svg { display: block; width: 100%; height: auto; margin: 4px 0; }
figure img { display: block; width: 100%; height: auto; max-height: 460px; object-fit: contain; margin: 0 auto 6px; }
.legend { list-style: none; margin: 4px 0; padding: 0; display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 0.82rem; }
.legend svg { width: 26px; height: 12px; margin-right: 5px; vertical-align: -1px; }
.scroll { overflow-x: auto; margin: 6px 0 10px; border: 1px solid var(--edge); border-radius: 10px; background:
  linear-gradient(to right, var(--surface) 30%, transparent) left / 40px 100% no-repeat local,
  linear-gradient(to left, var(--surface) 30%, transparent) right / 40px 100% no-repeat local,
  linear-gradient(to right, var(--shadow), transparent) left / 14px 100% no-repeat scroll,
  linear-gradient(to left, var(--shadow), transparent) right / 14px 100% no-repeat scroll, var(--surface); }
table { border-collapse: collapse; width: 100%; font-size: 0.84rem; line-height: 1.3; }
th, td { padding: 4px 9px; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
tr:last-child td, tr:last-child > th[scope="row"] { border-bottom: 0; }
th { color: var(--ink-2); font-weight: 600; font-size: 0.78rem; vertical-align: bottom; }
th[scope="row"] { font-weight: 400; color: var(--ink); font-size: inherit; vertical-align: top; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; text-align: inherit; cursor: pointer; }
th[aria-sort="ascending"] button::after { content: " ↑"; } th[aria-sort="descending"] button::after { content: " ↓"; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; }
td:empty { text-align: right; color: var(--ink-2); } td:empty::after { content: "–"; }
td.long:not(.number) { min-width: 260px; }
td small, th small { display: block; color: var(--ink-2); font-size: 0.74rem; font-weight: 400; }
.bad, .slower, .wrong { color: var(--bad); font-weight: 600; }
.faster { color: var(--yes); font-weight: 600; }
.winner { font-weight: 700; white-space: nowrap; }
.faint { color: var(--ink-2); }
.document { color: var(--document); }
.bar { width: 50%; } .bar i, .meter i { display: block; height: 12px; border-radius: 3px; min-width: 2px; }
.meter { display: block; min-width: 90px; } .meter i { height: 6px; }
.stack { display: flex; height: 14px; min-width: 170px; gap: 2px; } .stack i { display: block; min-width: 1px; }
.swatch { display: inline-block; width: 9px; height: 9px; border-radius: 2px; margin-right: 5px; }
pre { background: var(--surface); border: 1px solid var(--edge); border-radius: 8px; padding: 8px 12px; overflow-x: auto; font-size: 0.84rem; margin: 6px 0; }
nav { font-size: 0.86rem; margin: 10px 0 0; } nav a { margin-right: 14px; }
footer { margin-top: 36px; }
@media (max-width: 860px) { .front { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 560px) {
  main { padding: 10px 10px 40px; } .lead { font-size: 0.86rem; } h1 { font-size: 1.2rem; }
  .card { padding: 8px 8px; } th, td { padding: 4px 6px; }
  .counts { gap: 5px; } .counts li { padding: 2px 8px; font-size: 0.86rem; }
  #front { display: flex; flex-direction: column-reverse; } .front { margin-top: 8px; }
}
@media print { .scroll { overflow: visible; background: none; border: 0; } table { font-size: 7.5pt; } figure, tr { break-inside: avoid; } }
`;
