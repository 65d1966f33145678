import {escapeHtml} from '@epsball/cli/command';
import {commandsOf, machineBoxes} from './facts.ts';
import {gpuWarning} from './gpuWarning.ts';
import type {IllustratedSection} from './illustrate.ts';
import type {Illustration} from './illustration.ts';
import type {Report} from './model.ts';
import type {Table, TableCell, TitledTable} from './table.ts';
import {PAGE_CSS} from './theme.ts';

/**
 * The report as one HTML file: pictures, charts and styles inside, no scripts, nothing loaded from anywhere.
 *
 * @param sections  the report's sections with their pictures
 */
export function renderHtml(report: Report, sections: readonly IllustratedSection[]): string {
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
<main>
<header>
<h1>${title}</h1>
<p class="lead">DBSCAN and mean shift on GPU, worker threads and CPU, and the GPU primitives under them. Every time below belongs to a result that was checked first. Written ${escapeHtml(report.createdAt.slice(0, 16).replace('T', ' '))} UTC.</p>
</header>
${summary(report, sections)}
${machines(report)}
${sections.map((section) => sectionHtml(section)).join('\n')}
<footer class="small">
<p>How the numbers were taken: each cell in a process of its own, warm-up runs first, then the median of the repeats; ± is half the range in which the middle half of the repeats lies. Times are whole runs with transfers where nothing else is said; “device” is what the adapter’s own clock says about the kernels. <code>benchmarks/METHOD.md</code> has the rest.</p>
</footer>
</main>
</body>
</html>
`;
}

function summary(report: Report, sections: readonly IllustratedSection[]): string {
  const warnings = new Set(report.runs.flatMap((run) => gpuWarning(run) ?? []));
  const parts = sections.map(({section, view}) => {
    const items = view.findings.map((sentence) => `<li>${escapeHtml(sentence)}</li>`);
    return `<h3>${escapeHtml(section.suite.title)}</h3>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  const notes = [...warnings].map((warning) => `<p class="warning">${escapeHtml(warning)}</p>`);
  return `<div class="card found">\n<h2>What was found</h2>\n${parts.join('\n')}\n${notes.join('\n')}\n</div>`;
}

function machines(report: Report): string {
  const boxes = machineBoxes(report).map(({title, facts}) => {
    const rows = facts.map(({name, value}) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
    return `<div class="card">\n<h3>${escapeHtml(title)}</h3>\n<dl>${rows.join('')}</dl>\n</div>`;
  });
  const commands = commandsOf(report).map((command) => `pnpm ${command}`);
  const again = `<div class="card">\n<h3>Run it again</h3>\n<p class="small">In a checkout, with Node and nothing else installed, <code>npx -y pnpm@12.21.0 bench</code> runs every suite in the quick profile. One at a time:</p>\n<pre>${escapeHtml(commands.join('\n'))}</pre>\n</div>`;
  return `<div class="grid">\n${boxes.join('\n')}\n${again}\n</div>`;
}

function sectionHtml({id, section, view, pictures, charts}: IllustratedSection): string {
  const {suite} = section;
  const gaps = view.gaps.map((gap) => `<li>${escapeHtml(gap)}</li>`);
  const notes = [...suite.notes].map((note) => `<p class="small">${escapeHtml(note)}</p>`);
  const credits = suite.credits.map((credit) => `<p class="small"><strong>${escapeHtml(credit)}</strong></p>`);
  const [first] = section.runs;
  const runLabel =
    section.runs.length === 1
      ? `${first.label}, ${first.result.profile} profile`
      : `Side by side: ${section.runs.map(({letter, label}) => `${letter} is ${label}`).join('; ')}`;
  return `<section id="${escapeHtml(id)}">
<h2>${escapeHtml(suite.title)}</h2>
<p class="lead">${escapeHtml(suite.source)}.<br>${escapeHtml(suite.reproduces)}.<br>${escapeHtml(runLabel)}.</p>
${credits.join('\n')}
${pictures.length === 0 ? '' : `<div class="pictures">\n${pictures.map(figure).join('\n')}\n</div>`}
${charts.length === 0 ? '' : `<div class="grid">\n${charts.map(figure).join('\n')}\n</div>`}
${view.tables.map(titledTable).join('\n')}
${gaps.length === 0 ? '' : `<ul class="small">\n${gaps.join('\n')}\n</ul>`}
${view.documents.map(titledTable).join('\n')}
${notes.join('\n')}
</section>`;
}

function figure({title, caption, body}: Illustration): string {
  return `<figure class="card">\n<h3>${escapeHtml(title)}</h3>\n${body}\n<figcaption>${escapeHtml(caption)}</figcaption>\n</figure>`;
}

function titledTable({title, table}: TitledTable): string {
  return `<h3>${escapeHtml(title)}</h3>\n${tableHtml(table)}`;
}

function tableHtml({columns, rows}: Table): string {
  const head = columns.map(({title, isNumber}) => `<th${isNumber ? ' class="number"' : ''}>${escapeHtml(title)}</th>`);
  const body = rows.map((row) => `<tr>${row.map((cell, c) => cellHtml(cell, columns[c].isNumber)).join('')}</tr>`);
  return `<div class="scroll" tabindex="0">\n<table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table>\n</div>`;
}

function cellHtml({text, note, tone, share}: TableCell, isNumber: boolean): string {
  const classes = [isNumber ? 'number' : '', tone === 'plain' ? '' : tone].filter((name) => name !== '').join(' ');
  const small = note === undefined ? '' : `<small>${escapeHtml(note)}</small>`;
  const meter =
    share === undefined ? '' : `<span class="meter"><i style="width:${(share * 100).toFixed(0)}%"></i></span>`;
  return `<td${classes === '' ? '' : ` class="${classes}"`}>${escapeHtml(text)}${small}${meter}</td>`;
}
