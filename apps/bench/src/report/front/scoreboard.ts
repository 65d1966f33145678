import {documents, type DocumentEntry, type SourceDocument} from '@epsball/benchmarks';
import {escapeHtml} from '@epsball/cli/command';
import {escapeMarkdown} from '../escape.ts';
import {HOLDS_WORDS, type Holds, type Verdict} from '../verdicts/verdicts.ts';
import type {MachineRuns} from './machines.ts';

/** Kinds with data of their own: they stand on the first screen. */
const SHOWN_KINDS: readonly DocumentEntry['kind'][] = ['table', 'chart', 'picture'];

const SIGNS: Readonly<Record<Holds, string>> = {
  yes: '✓',
  no: '✗',
  built: '⌂',
  absent: '–',
  'not measured': '?',
};

/** Whether an entry is a table, a chart or a picture. */
export function hasData({kind}: DocumentEntry): boolean {
  return SHOWN_KINDS.includes(kind);
}

/** A short name: the document's number, or what the entry shows where it has none. */
export function entryTitle({label, what}: DocumentEntry): string {
  return /^(?:Figur|Table \d)/.test(label) && !label.includes('from') ? `${label}: ${what}` : what;
}

/** Anchor of a document's section. */
export function documentAnchor({id}: SourceDocument): string {
  return `document-${id}`;
}

/** The scoreboard: a card a document with its tables, charts and pictures, then everything else in a fold. */
export function scoreboardHtml(machines: readonly MachineRuns[]): string {
  if (machines.length === 0) return '';
  const verdicts = machines[0].verdicts;
  const shown = verdicts.filter(({entry}) => hasData(entry));
  const others = verdicts.filter(({entry}) => !hasData(entry));
  const briefly = withBriefNames(machines);
  const cards = documents.map((document) => cardHtml(document, briefly));
  const beside = machines
    .slice(1)
    .map(({shortName}) => shortName)
    .join(', ');
  return `<section id="scoreboard" aria-labelledby="scoreboard-title">
<h2 id="scoreboard-title">Every table, chart and picture of the four documents</h2>
<p class="small">${escapeHtml(countText(shown))} on ${escapeHtml(machines[0].name)}${beside === '' ? '' : `; beside it ${escapeHtml(beside)}`}. † extrapolated, ‡ baseline timed in another run.</p>
<div class="score-cards">
${cards.join('\n')}
</div>
<details id="claims"><summary>Claims, listings and equations: ${escapeHtml(countText(others))}</summary>
${othersHtml(others, briefly)}
</details>
</section>`;
}

function cardHtml(document: SourceDocument, machines: readonly MachineRuns[]): string {
  const rows = verdictsOf(machines[0], document)
    .filter(({entry}) => hasData(entry))
    .map((verdict) => rowHtml(verdict, machines, entryTitle(verdict.entry)));
  return `<div class="card score"><h3><a href="#${documentAnchor(document)}">${escapeHtml(document.title)}</a></h3>
<table><thead><tr><th scope="col">entry</th><th scope="col">document</th><th scope="col">ours</th><th scope="col"><span class="hidden">verdict</span></th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function rowHtml(verdict: Verdict, machines: readonly MachineRuns[], title: string): string {
  const {entry, printed, holds, reason} = verdict;
  return `<tr><th scope="row"><a href="#${entry.id}">${escapeHtml(title)}</a></th><td class="document">${escapeHtml(printed)}</td><td>${oursHtml(verdict, machines)}</td><td>${badgeHtml(holds, reason)}</td></tr>`;
}

/** Our figures; those of further machines below, each with its verdict. */
function oursHtml(verdict: Verdict, machines: readonly MachineRuns[]): string {
  const further = machines.slice(1).map(({shortName, verdicts}) => {
    const other = verdicts.find(({entry}) => entry.id === verdict.entry.id);
    if (other === undefined || other.ours === '') return '';
    return `<small>${escapeHtml(`${shortName}: ${other.ours}`)} ${SIGNS[other.holds]}</small>`;
  });
  return escapeHtml(verdict.ours === '' ? '–' : verdict.ours) + further.join('');
}

/** `H100` for `NVIDIA H100 80GB HBM3`; the names as they are where two machines would share one. */
function withBriefNames(machines: readonly MachineRuns[]): readonly MachineRuns[] {
  const names = machines.map(({shortName}) =>
    shortName.replace(/^(?:NVIDIA|AMD|Intel)(?:\(R\))? /, '').replace(/ \d+ ?GB\b.*$/, ''),
  );
  if (new Set(names).size < names.length) return machines;
  return machines.map((machine, k) => ({...machine, shortName: names[k]}));
}

/** The verdict as a sign with its words. */
export function badgeHtml(holds: Holds, reason: string): string {
  const name = holds.replaceAll(' ', '-');
  return `<span class="badge ${name}" title="${escapeHtml(reason)}"><span aria-hidden="true">${SIGNS[holds]}</span><span class="hidden">${HOLDS_WORDS[holds]}</span></span>`;
}

function othersHtml(verdicts: readonly Verdict[], machines: readonly MachineRuns[]): string {
  const groups = Map.groupBy(verdicts, ({document}) => document);
  return [...groups]
    .map(([document, all]) => {
      const rows = all.map((verdict) => {
        const {entry, printed, holds, reason} = verdict;
        return `<tr id="${entry.id}"><th scope="row">${escapeHtml(entry.label)}<small>${escapeHtml(entry.what)}</small></th><td class="document">${escapeHtml(printed)}</td><td>${oursHtml(verdict, machines)}</td><td>${badgeHtml(holds, reason)} ${HOLDS_WORDS[holds]}<small class="wrap">${escapeHtml(reason)}</small></td></tr>`;
      });
      return `<h3>${escapeHtml(document.title)}</h3>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(document.title)}"><table class="claims"><thead><tr><th scope="col">entry</th><th scope="col">the document</th><th scope="col">ours</th><th scope="col">verdict</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`;
    })
    .join('\n');
}

/** `20 hold, 6 do not, 1 cannot be had` */
export function countText(verdicts: readonly Verdict[]): string {
  const words: readonly (readonly [Holds, string])[] = [
    ['yes', 'hold'],
    ['no', 'do not hold'],
    ['built', 'are in the source'],
    ['absent', 'cannot be had'],
    ['not measured', 'are not measured here'],
  ];
  return words
    .map(([holds, text]) => ({text, count: verdicts.filter((one) => one.holds === holds).length}))
    .filter(({count}) => count > 0)
    .map(({text, count}) => `${count} ${text}`)
    .join(', ');
}

/** The verdicts of one document. */
export function verdictsOf({verdicts}: MachineRuns, document: SourceDocument): Verdict[] {
  return verdicts.filter((verdict) => verdict.document === document);
}

/** The scoreboard in Markdown: all entries that are measured or cannot be had. */
export function scoreboardMarkdown([first]: readonly MachineRuns[]): string[] {
  if (first === undefined) return [];
  const rows = first.verdicts
    .filter(({holds}) => holds !== 'built')
    .map(
      ({document, entry, printed, ours, holds}) =>
        `| ${[document.title, entryTitle(entry), printed, ours === '' ? '–' : ours, HOLDS_WORDS[holds]].map(escapeMarkdown).join(' | ')} |`,
    );
  const [name] = [escapeMarkdown(first.name)];
  return [
    '## The documents',
    '',
    `Ours: ${name}.`,
    '',
    '| document | entry | the document | ours | verdict |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ];
}
