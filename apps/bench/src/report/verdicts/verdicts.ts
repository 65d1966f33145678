import {documents, plainText, type DocumentEntry, type SourceDocument} from '@epsball/benchmarks';
import {dclustJudges} from './dclust.ts';
import type {Evidence} from './evidence.ts';
import {hybridJudges} from './hybrid.ts';
import {meanShiftJudges} from './meanShift.ts';
import {milanesiJudges} from './milanesi.ts';
import type {Judge} from './verdict.ts';

/** Whether an entry holds. `built`: the source contains it. `absent`: it cannot be had. */
export type Holds = 'yes' | 'no' | 'built' | 'absent' | 'not measured';

/** An entry of a document with its verdict. */
export interface Verdict {
  readonly document: SourceDocument;
  readonly entry: DocumentEntry;
  /** The document's numbers, or their count if there are many. */
  readonly printed: string;
  /** Our figures in words; empty where there are none. */
  readonly ours: string;
  readonly holds: Holds;
  /** The rule, or why the entry cannot be had. */
  readonly reason: string;
}

/** How a report names each verdict. */
export const HOLDS_WORDS: Readonly<Record<Holds, string>> = {
  yes: 'holds',
  no: 'does not hold',
  built: 'built',
  absent: 'cannot be had',
  'not measured': 'not measured',
};

/** Tables with more numbers show how many there are; the table has them. */
const MOST_PRINTED = 4;

const JUDGES: Readonly<Record<string, Judge>> = {
  ...milanesiJudges,
  ...meanShiftJudges,
  ...hybridJudges,
  ...dclustJudges,
};

/** The verdict of every entry, in the order of the documents. */
export function judgeAll(evidence: Evidence): Verdict[] {
  return documents.flatMap((document) => document.entries.map((entry) => judge(document, entry, evidence)));
}

function judge(document: SourceDocument, entry: DocumentEntry, evidence: Evidence): Verdict {
  const {shown} = entry;
  const facts = {document, entry, printed: printedText(entry)};
  if (shown.by === 'nothing') return {...facts, ours: '', holds: 'absent', reason: shown.reason};
  if (shown.by === 'code') {
    const note = shown.note === undefined ? '' : `: ${shown.note}`;
    return {...facts, ours: '', holds: 'built', reason: `${shown.files.join(', ')}${note}`};
  }
  const judged = JUDGES[entry.id]?.(evidence) ?? null;
  if (judged === null) return {...facts, ours: '', holds: 'not measured', reason: `Holds if ${shown.rule}`};
  return {...facts, ours: judged.ours, holds: judged.holds ? 'yes' : 'no', reason: `Holds if ${shown.rule}`};
}

function printedText({kind, printed}: DocumentEntry): string {
  if (kind === 'table' && printed.length > MOST_PRINTED) return `${printed.length} numbers`;
  return printed.map(plainText).join(' · ');
}
