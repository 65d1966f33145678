import {
  claims,
  documents,
  figures,
  nameQuery,
  plainText,
  VERDICTS,
  type DocumentEntry,
  type JudgedRelation,
  type Judgement,
  type SourceDocument,
} from '@epsball/benchmarks';
import {escapeHtml} from '@epsball/cli/command';
import {figureHtml, quantityText} from './figures.ts';
import type {MachineRuns} from './machines.ts';

/** Kinds with data of their own: each is an article in the document's own shape. */
const SHOWN_KINDS: readonly DocumentEntry['kind'][] = ['table', 'chart', 'picture'];
/** Quotes of longer lists stand in the table beside ours. */
const MOST_QUOTES = 8;

/** The sections of the documents that this machine has results of, and the list of the others. */
export async function documentsHtml(machine: MachineRuns, others: readonly MachineRuns[]): Promise<string> {
  const sections = await Promise.all(documents.map((document) => documentHtml(document, machine, others)));
  return sections.join('\n');
}

async function documentHtml(
  document: SourceDocument,
  machine: MachineRuns,
  others: readonly MachineRuns[],
): Promise<string> {
  const shown = await Promise.all(
    document.entries
      .filter(({kind}) => SHOWN_KINDS.includes(kind))
      .map(async (entry) => ({entry, html: await figureHtml(entry.id, machine)})),
  );
  const [ran, rest] = [shown.filter(({html}) => html !== ''), shown.filter(({html}) => html === '')];
  const texts = document.entries.filter(({kind}) => !SHOWN_KINDS.includes(kind));
  const isAny = ran.length > 0 || judgementsOf(document, machine).some(({verdict}) => verdict !== 'not run');
  const title = `<h2><a class="self" href="#document-${document.id}">${escapeHtml(document.title)}</a></h2>`;
  const quotes = `<details><summary>${rest.length + texts.length} further entries: what the document prints, and where it is here</summary>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">entry</th><th scope="col">the document</th><th scope="col">here</th></tr></thead><tbody>
${[...rest.map(({entry}) => entry), ...texts].map(entryRow).join('\n')}
</tbody></table></div></details>`;
  const articles = ran.map(({entry, html}) => articleHtml(entry, html, machine, others));
  const not = isAny ? '' : '<p class="small">Nothing of this document ran.</p>\n';
  return `<section id="document-${document.id}">\n${title}\n${not}${articles.join('\n')}\n${quotes}\n</section>`;
}

/** The judgements of the claims of a document. */
export function judgementsOf({entries}: SourceDocument, {judgements}: MachineRuns): Judgement[] {
  const ids = new Set(entries.map(({id}) => id));
  return judgements.filter(({claim}) => claim.entries.some((id) => ids.has(id)));
}

function articleHtml(entry: DocumentEntry, html: string, machine: MachineRuns, others: readonly MachineRuns[]): string {
  const {id, label, what} = entry;
  const own = machine.judgements.filter(({claim}) => claim.entries.includes(id));
  const title = /^(?:Figur|Table \d)/.test(label) && !label.includes('from') ? `${label}: ${what}` : what;
  const badges = own.map(({verdict}) => badgeHtml(verdict)).join(' ');
  const says = entry.printed.length > MOST_QUOTES ? '' : `<p class="small document">${quotesOf(entry)}</p>\n`;
  const list = own.map((one) => claimHtml(one, others)).join('\n');
  const judged =
    own.length === 0
      ? '<p class="small">Shown, not judged: a picture, or times of another machine.</p>'
      : `<ul class="claims">\n${list}\n</ul>`;
  return `<article id="${id}"><details open><summary><h3>${badges} ${escapeHtml(title)}</h3></summary>
${says}${judged}
${html}
</details></article>`;
}

/** A claim of the document with its rule, our numbers and the verdict. */
function claimHtml(judgement: Judgement, others: readonly MachineRuns[]): string {
  const {claim, verdict, measured, needed} = judgement;
  const english = claim.english === undefined ? '' : ` <i>(${escapeHtml(claim.english)})</i>`;
  const words =
    verdict === 'partly' ? `${VERDICTS.partly.words}: ${measured} of ${needed} cells` : VERDICTS[verdict].words;
  const beside = others.flatMap(({shortName, judgements}) => {
    const other = judgements.find((one) => one.claim.id === claim.id);
    return other === undefined || other.verdict === 'not run'
      ? []
      : `${shortName}: ${VERDICTS[other.verdict].sign} ${numbersOf(other)}`;
  });
  const details = judgement.relations.map(relationRow).join('');
  return `<li>${badgeHtml(verdict)} <span class="document">“${escapeHtml(plainText(claim.says))}”</span>${english}
<small><b>${escapeHtml(words)}</b>${numbersOf(judgement) === '' ? '' : `; ours ${escapeHtml(numbersOf(judgement))}`}${beside.length === 0 ? '' : `; ${escapeHtml(beside.join('; '))}`}. Holds if ${escapeHtml(claim.rule)}.</small>
<details><summary>${judgement.relations.length} ${judgement.relations.length === 1 ? 'relation' : 'relations'}</summary><table><tbody>${details}</tbody></table></details></li>`;
}

/** Our value, or the lowest and highest of a kind, as the rule tests them: speed-ups and their quotients apart. */
function numbersOf({relations}: Judgement): string {
  const kindOf = ({relation: {unit, least, most}}: JudgedRelation): string =>
    `${unit} ${least === undefined} ${most === undefined}`;
  const texts = [...Map.groupBy(relations, kindOf).values()].map((alike) => {
    const {unit} = alike[0].relation;
    const found = alike.flatMap((one) => one.found ?? []).toSorted((a, b) => a.value - b.value);
    const ends = [found[0], found.at(-1)].filter((one) => one !== undefined);
    const words = ends.map(({value, mark}) => `${mark === '' ? '' : `${mark} `}${quantityText(value, unit)}`);
    return [...new Set(words)].join(' to ');
  });
  return texts.filter((text) => text !== '').join('; ');
}

function relationRow({relation, found, verdict}: JudgedRelation): string {
  const {name, least, most, unit} = relation;
  const text = (value: number): string => quantityText(value, unit);
  const bounds = [
    ...(least === undefined ? [] : [`≥ ${text(least)}`]),
    ...(most === undefined ? [] : [`≤ ${text(most)}`]),
  ].join(', ');
  const value =
    found === undefined
      ? `not measured: ${relation.terms
          .map(({cell}) => nameQuery(cell))
          .slice(0, 2)
          .join('; ')}`
      : `${found.mark} ${text(found.value)} [${text(found.low)}, ${text(found.high)}]`;
  const words = verdict === undefined ? '' : VERDICTS[verdict].words;
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td><td>${escapeHtml(bounds)}</td><td>${words}</td></tr>`;
}

function badgeHtml(verdict: Judgement['verdict']): string {
  const {sign, words} = VERDICTS[verdict];
  return `<span class="badge ${verdict.replace(' ', '-')}" title="${words}"><span aria-hidden="true">${sign}</span><span class="hidden">${words}</span></span>`;
}

function quotesOf({printed, english = []}: DocumentEntry): string {
  const quotes = printed.map((text) => `“${escapeHtml(plainText(text))}”`).join(', ');
  return quotes + (english.length === 0 ? '' : ` <i>(${escapeHtml(english.join('; '))})</i>`);
}

function entryRow(entry: DocumentEntry): string {
  const {id, label, what, here} = entry;
  const own = claims.filter(({entries}) => entries.includes(id));
  const places =
    'reason' in here
      ? here.reason
      : 'files' in here
        ? here.files.join(', ') + (here.note === undefined ? '' : `: ${here.note}`)
        : `suites ${here.suites.join(', ')}${own.length === 0 ? '' : `; judged as ${own.map((claim) => `“${plainText(claim.says)}”`).join(', ')}`}`;
  const anchor = figures[id] === undefined ? ` id="${id}"` : '';
  return `<tr${anchor}><th scope="row">${escapeHtml(label)}<small>${escapeHtml(what)}</small></th><td class="document">${quotesOf(entry) || '–'}</td><td>${escapeHtml(places)}</td></tr>`;
}

/** Every claim on one list, for the anchor of the counts. */
export function claimsHtml(machine: MachineRuns, others: readonly MachineRuns[]): string {
  const ran = machine.judgements.filter(({verdict}) => verdict !== 'not run');
  const not = machine.judgements.length - ran.length;
  const groups = documents.map((document) => {
    const own = ran.filter((one) => judgementsOf(document, machine).includes(one));
    if (own.length === 0) return '';
    return `<h4>${escapeHtml(document.title)}</h4>\n<ul class="claims">\n${own.map((one) => claimHtml(one, others)).join('\n')}\n</ul>`;
  });
  return `<section id="claims"><details><summary><h2>${ran.length} claims, one by one${not === 0 ? '' : `; ${not} not run`}</h2></summary>
<p class="small">A claim is judged only if every cell that its rule names was measured, on a GPU if it is about one. It holds or fails only if the 95 % interval of each value lies on one side of its bound; all intervals of a claim hold together. With fewer than three processes a cell, 10 % of spread between processes are assumed.</p>
${groups.join('\n')}
</details></section>`;
}
