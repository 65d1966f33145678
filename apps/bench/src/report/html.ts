import {escapeHtml} from '@epsball/cli/command';
import {commandsOf, machineBoxes} from './facts.ts';
import {documentSectionHtml, type DocumentSection} from './front/documentSections.ts';
import {highlightsOf} from './front/highlights.ts';
import type {MachineRuns} from './front/machines.ts';
import {matrixHtml} from './front/matrix.ts';
import {documentAnchor, entryTitle, scoreboardHtml} from './front/scoreboard.ts';
import type {IllustratedSection} from './illustrate.ts';
import type {Report} from './model.ts';
import {PAGE_CSS} from './pageCss.ts';
import {figureHtml, titledTableHtml} from './pageParts.ts';
import {PAGE_SCRIPT} from './pageScript.ts';

/** A report of another machine, as a page links it. */
export interface ElsewhereReport {
  readonly machine: string;
  readonly href: string;
}

/** Everything that a page shows. */
export interface Page {
  readonly report: Report;
  /** The suites' sections with their pictures. */
  readonly sections: readonly IllustratedSection[];
  /** The machines of the report, the first one is judged; committed results of another machine may follow. */
  readonly machines: readonly MachineRuns[];
  readonly documents: readonly DocumentSection[];
  /** Reports of other machines beside this one. */
  readonly elsewhere: readonly ElsewhereReport[];
  /** HTML of a comparison, which then comes first; empty without one. */
  readonly comparison: string;
}

/**
 * The report as one HTML file: pictures, charts, styles and one small script inside, nothing loaded from anywhere. The
 * page is complete without the script.
 */
export function renderHtml(page: Page): string {
  const {report, sections, machines, documents, comparison} = page;
  const title = report.compare ? 'epsball benchmarks, side by side' : 'epsball benchmarks';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${PAGE_CSS}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav class="side" aria-label="Contents">
${contents(page)}
</nav>
<main id="content">
<header>
<h1>${title}</h1>
<p class="lead">${escapeHtml(machines[0]?.name ?? '')}. Written ${escapeHtml(report.createdAt.slice(0, 16).replace('T', ' '))} UTC.</p>
</header>
<details class="top-contents"><summary>Contents</summary>
<nav aria-label="Contents">
${contents(page)}
</nav>
</details>
${warnings(machines)}
${comparison}
${scoreboardHtml(machines)}
${matrixHtml(machines)}
${found(machines, sections)}
${machinesHtml(report, page.elsewhere)}
${documents.map((one) => documentSectionHtml(one, machines[0].name)).join('\n')}
${sections.map((section) => sectionHtml(section, picturesShown(documents))).join('\n')}
<footer class="small">
<p>How the numbers were taken: each cell in a process of its own, warm-up runs first, then the median of the repeats; ± is half the range in which the middle half of the repeats lies. Times are whole runs with transfers where nothing else is said; “device” is what the adapter’s own clock says about the kernels. <code>benchmarks/METHOD.md</code> has the rest.</p>
</footer>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function contents({documents, sections, comparison}: Page): string {
  const link = (anchor: string, text: string): string => `<a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a>`;
  const front = [
    ...(comparison === '' ? [] : [link('comparison', 'Comparison')]),
    link('scoreboard', 'Scoreboard'),
    link('matrix', 'Variants against each other'),
    link('found', 'What was found'),
    link('machines', 'Machines'),
  ];
  const papers = documents.map(({document, entries}) => {
    const inside = entries.map(({verdict: {entry}}) => `<li>${link(entry.id, entryTitle(entry))}</li>`);
    return `<li>${link(documentAnchor(document), document.title)}<ul>${inside.join('')}</ul></li>`;
  });
  const suites = suiteTitles(sections).map((title, k) => `<li>${link(sections[k].id, title)}</li>`);
  return `<ul>${front.map((one) => `<li>${one}</li>`).join('')}</ul>
<p>Documents</p><ul>${papers.join('')}</ul>
<p>Suites</p><ul>${suites.join('')}</ul>`;
}

/** Titles of sections. Suites with results of several machines name them. */
function suiteTitles(sections: readonly IllustratedSection[]): string[] {
  const titles = sections.map(({section}) => section.suite.title);
  return sections.map(({section}, k) => {
    const isOnly = titles.indexOf(titles[k]) === titles.lastIndexOf(titles[k]);
    const {adapter, machine} = section.runs[0].result;
    return isOnly ? titles[k] : `${titles[k]}, ${adapter?.name ?? machine.cpu}`;
  });
}

function warnings([machine]: readonly MachineRuns[]): string {
  if (machine === undefined) return '';
  return highlightsOf(machine)
    .warnings.map((warning) => `<p class="warning" role="note">${escapeHtml(warning)}</p>`)
    .join('\n');
}

function found([machine]: readonly MachineRuns[], sections: readonly IllustratedSection[]): string {
  if (machine === undefined) return '';
  const all = sections.map(({section, view}) => {
    const items = view.findings.map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
    return `<h3>${escapeHtml(section.suite.title)}</h3>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  const few = highlightsOf(machine).sentences.map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
  return `<section id="found" class="card found">
<h2>What was found</h2>
<ul>
${few.join('\n')}
</ul>
<details><summary>Findings by suite</summary>
${all.join('\n')}
</details>
</section>`;
}

function machinesHtml(report: Report, elsewhere: readonly ElsewhereReport[]): string {
  const boxes = machineBoxes(report).map(({title, facts}) => {
    const rows = facts.map(({name, value}) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
    return `<div class="card">\n<h3>${escapeHtml(title)}</h3>\n<dl>${rows.join('')}</dl>\n</div>`;
  });
  const links = elsewhere.map(({machine, href}) => `<li><a href="${escapeHtml(href)}">${escapeHtml(machine)}</a></li>`);
  const others =
    links.length === 0 ? '' : `<div class="card">\n<h3>Other machines</h3>\n<ul>${links.join('')}</ul>\n</div>`;
  const commands = commandsOf(report).map((command) => `pnpm ${command}`);
  const again = `<div class="card">\n<h3>Run it again</h3>\n<p class="small">In a checkout, with Node and nothing else installed, <code>npx -y pnpm@12.21.0 bench</code> runs every suite in the quick profile. One at a time:</p>\n<details><summary>${commands.length} commands</summary><pre>${escapeHtml(commands.join('\n'))}</pre></details>\n</div>`;
  return `<section id="machines"><h2>Machines</h2>\n<div class="grid">\n${boxes.join('\n')}\n${others}\n${again}\n</div></section>`;
}

/** The pictures that stand beside the entries of the documents already. */
function picturesShown(documents: readonly DocumentSection[]): ReadonlySet<string> {
  const exhibited = documents.flatMap(({entries}) => entries.flatMap(({exhibit}) => exhibit?.pictures ?? []));
  return new Set(exhibited.map(({body}) => body));
}

function sectionHtml(
  {id, section, view, pictures: all, charts}: IllustratedSection,
  shown: ReadonlySet<string>,
): string {
  const {suite} = section;
  const pictures = all.filter(({body}) => !shown.has(body));
  const gaps = view.gaps.map((gap) => `<li>${escapeHtml(gap)}</li>`);
  const notes = [...suite.notes].map((note) => `<p class="small">${escapeHtml(note)}</p>`);
  const credits = suite.credits.map((credit) => `<p class="small"><strong>${escapeHtml(credit)}</strong></p>`);
  const [first] = section.runs;
  const runLabel =
    section.runs.length === 1
      ? `${first.label}, ${first.result.profile} profile`
      : `Side by side: ${section.runs.map(({letter, label}) => `${letter} is ${label}`).join('; ')}`;
  return `<section id="${escapeHtml(id)}">
<h2><a class="self" href="#${escapeHtml(id)}">${escapeHtml(suite.title)}</a></h2>
<p class="lead">${escapeHtml(suite.source)}.<br>${escapeHtml(suite.reproduces)}.<br>${escapeHtml(runLabel)}.</p>
${credits.join('\n')}
${pictures.length === 0 ? '' : `<div class="pictures${pictures.length > 4 ? ' many' : ''}">\n${pictures.map(figureHtml).join('\n')}\n</div>`}
${charts.length === 0 ? '' : `<div class="grid">\n${charts.map(figureHtml).join('\n')}\n</div>`}
${view.tables.map(titledTableHtml).join('\n')}
${gaps.length === 0 ? '' : `<details><summary>Left out or failed: ${gaps.length} ${gaps.length === 1 ? 'reason' : 'reasons'}</summary><ul class="small">\n${gaps.join('\n')}\n</ul></details>`}
${view.documents.map(titledTableHtml).join('\n')}
<details><summary>Notes</summary>
${notes.join('\n')}
</details>
</section>`;
}
