import {z} from 'zod';
import {dclustClaims} from './claims/dclust.ts';
import {hybridClaims} from './claims/hybrid.ts';
import {meanShiftClaims} from './claims/meanShift.ts';
import {milanesiClaims} from './claims/milanesi.ts';
import data from './documents.json' with {type: 'json'};
import type {Claim} from './judge.ts';
import peerData from './peers.json' with {type: 'json'};

const entrySchema = z.object({
  /** Identifier in the inventory of the documents: `dc-fig7a`. */
  id: z.string(),
  /** As the document names it: `Figure 7(a)`. */
  label: z.string(),
  /** `chart` has data of its own, `diagram` explains, `picture` shows points. */
  kind: z.enum(['table', 'chart', 'picture', 'claim', 'listing', 'equation', 'diagram', 'definition']),
  /** What the entry shows or states, in a few words. */
  what: z.string(),
  /** The document's own numbers and words, verbatim. Of a table all numbers, row by row. */
  printed: z.array(z.string()),
  /** Translation of words that are not English. */
  english: z.array(z.string()).optional(),
  /** Where this repository has it: suites measure it, files contain it, or it cannot be had. */
  here: z.union([
    z.strictObject({suites: z.array(z.string())}),
    z.strictObject({files: z.array(z.string()), note: z.string().optional()}),
    z.strictObject({reason: z.string()}),
  ]),
});
export type DocumentEntry = z.infer<typeof entrySchema>;

const documentSchema = z.object({
  id: z.enum(['milanesi', 'mean-shift', 'hybrid', 'dclust']),
  title: z.string(),
  entries: z.array(entrySchema),
});
export type SourceDocument = z.infer<typeof documentSchema>;

/** Every table, figure, listing and claim of the four source documents. */
export const documents: readonly SourceDocument[] = z.array(documentSchema).parse(data);

/** Every sentence of the documents that states a relation which results can hold or contradict. */
export const claims: readonly Claim[] = [...milanesiClaims, ...hybridClaims, ...meanShiftClaims, ...dclustClaims];

/** An entry by its id. */
export function entryOf(id: string): DocumentEntry {
  const found = documents.flatMap(({entries}) => entries).find((entry) => entry.id === id);
  if (found === undefined) throw new Error(`no entry ${id}`);
  return found;
}

const times = z.array(z.number().nullable());

/** What other programs took on the very files that the suite `state-of-the-art` reads. */
export const peers = z
  .object({
    machine: z.string(),
    date: z.string(),
    versions: z.record(z.string(), z.string()),
    codes: z.array(z.string()),
    dbscan: z.array(
      z.object({
        file: z.string(),
        eps: z.number(),
        minPts: z.number(),
        clusters: z.number(),
        noise: z.number(),
        /** Milliseconds, in the order of `codes`. */
        ms: times,
        note: z.string().optional(),
      }),
    ),
    hdbscanCodes: z.array(z.string()),
    hdbscanNote: z.string(),
    hdbscan: z.array(z.object({file: z.string(), ms: times})),
  })
  .parse(peerData);

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Without the document's emphasis and TeX. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\*\*|\$|`/g, '')
    .replaceAll(/\*(?=\S)([^*]+)\*/g, '$1')
    .replace(/^- /, '')
    .replaceAll(String.raw`\,`, ' ')
    .replaceAll(String.raw`\epsilon`, 'ε')
    .replaceAll(String.raw`\times`, '×')
    .replaceAll(String.raw`\cdot`, '·')
    .replaceAll(String.raw`\leq`, '≤')
    .replaceAll(String.raw`\log`, 'log')
    .replaceAll(/n\^(\d)/g, (_, digit: string) => `n${SUPERSCRIPTS[Number(digit)]}`);
}
