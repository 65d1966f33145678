import {documents, plainText, suites, type DocumentEntry, type SourceDocument} from '@epsball/benchmarks';
import {escapeHtml} from '@epsball/cli/command';
import {exhibits} from '../exhibits/exhibits.ts';
import type {Exhibit} from '../exhibits/exhibit.ts';
import {figureHtml, titledTableHtml} from '../pageParts.ts';
import {HOLDS_WORDS, type Verdict} from '../verdicts/verdicts.ts';
import type {MachineRuns} from './machines.ts';
import {badgeHtml, documentAnchor, entryTitle, hasData, verdictsOf} from './scoreboard.ts';

/** A document with its tables, charts and pictures, each as this machine reproduces it. */
export interface DocumentSection {
  readonly document: SourceDocument;
  readonly entries: readonly {readonly verdict: Verdict; readonly exhibit: Exhibit | null}[];
}

/** Builds the exhibits of every document from the results of one machine. */
export function documentSections(machine: MachineRuns): Promise<DocumentSection[]> {
  return Promise.all(
    documents.map(async (document) => ({
      document,
      entries: await Promise.all(
        verdictsOf(machine, document)
          .filter(({entry}) => hasData(entry))
          .map(async (verdict) => ({verdict, exhibit: (await exhibits[verdict.entry.id]?.(machine)) ?? null})),
      ),
    })),
  );
}

export function documentSectionHtml({document, entries}: DocumentSection, machineName: string): string {
  const parts = entries.map(({verdict, exhibit}) => entryHtml(verdict, exhibit));
  return `<section id="${documentAnchor(document)}">
<h2>${escapeHtml(document.title)}</h2>
<p class="small">Every table, chart and picture of the document with data; ours on ${escapeHtml(machineName)}. <span class="document">Brown</span> is the document’s.</p>
${parts.join('\n')}
</section>`;
}

function entryHtml(verdict: Verdict, exhibit: Exhibit | null): string {
  const {entry, holds, ours, reason} = verdict;
  const figures = [...(exhibit?.pictures ?? [])].map(figureHtml);
  const charts = (exhibit?.charts ?? []).map(({svg, ...words}) => figureHtml({...words, body: svg}));
  const tables = (exhibit?.tables ?? []).map(titledTableHtml);
  const notes = (exhibit?.notes ?? []).map((note) => `<p class="small">${escapeHtml(note)}</p>`);
  const says = entry.printed.length > 8 ? '' : `<span class="document">${escapeHtml(quotesOf(entry))}</span> `;
  const figure = ours === '' ? '' : `Ours: <strong>${escapeHtml(ours)}</strong>. `;
  return `<article id="${entry.id}" class="entry">
<h3>${badgeHtml(holds, reason)} <a class="self" href="#${entry.id}">${escapeHtml(entryTitle(entry))}</a></h3>
<p class="small">${says}${figure}Verdict: ${HOLDS_WORDS[holds]}. ${escapeHtml(reason.charAt(0).toUpperCase() + reason.slice(1))}. ${suiteLinks(entry)}</p>
${figures.length === 0 ? '' : `<div class="pictures${figures.length > 4 ? ' many' : ''}">\n${figures.join('\n')}\n</div>`}
${charts.length === 0 ? '' : `<div class="grid">\n${charts.join('\n')}\n</div>`}
${tables.join('\n')}
${notes.join('\n')}
</article>`;
}

function quotesOf({printed}: DocumentEntry): string {
  return printed.map((text) => `“${plainText(text)}”`).join(', ');
}

function suiteLinks({shown}: DocumentEntry): string {
  if (shown.by !== 'suites') return '';
  const links = shown.suites
    .filter((id) => suites.some((suite) => suite.id === id))
    .map((id) => `<a href="#${id}">${id}</a>`);
  return `Suite: ${links.join(', ')}.`;
}
