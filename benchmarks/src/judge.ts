import {nameQuery, type CellQuery, type Evaluated, type Evidence, type Quantity} from './evidence.ts';

/** A quantity that must lie above, below or between bounds. */
export interface Relation extends Quantity {
  /** `speed-up at 1,000,000 points`. */
  readonly name: string;
  readonly least?: number;
  readonly most?: number;
}

/** A sentence of a document that states a relation, as a rule that our results are held against. */
export interface Claim {
  readonly id: string;
  /** Ids of the entries that contain it. */
  readonly entries: readonly string[];
  /** The document's words. */
  readonly says: string;
  /** Translation of words that are not English. */
  readonly english?: string;
  /** When the claim holds for our results: a sentence without its full stop. */
  readonly rule: string;
  /** All must hold. */
  readonly relations: readonly Relation[];
}

/**
 * `holds`, `fails`: the interval of each, or of one, relation lies on one side. `close`: noise could decide. `partly`:
 * some cells of the rule were not measured, or on a software adapter. `not run`: none was.
 */
export type Verdict = 'holds' | 'fails' | 'close' | 'partly' | 'not run';

export const VERDICTS: Readonly<Record<Verdict, {readonly words: string; readonly sign: string}>> = {
  holds: {words: 'holds', sign: '✓'},
  fails: {words: 'does not hold', sign: '✗'},
  close: {words: 'too close to say', sign: '≈'},
  partly: {words: 'partly measured', sign: '◐'},
  'not run': {words: 'not run', sign: '–'},
};

export const VERDICT_NAMES: readonly Verdict[] = ['holds', 'fails', 'close', 'partly', 'not run'];

/** A relation as measured. `verdict` is undefined where it could not be. */
export interface JudgedRelation {
  readonly relation: Relation;
  readonly found: Evaluated | undefined;
  readonly verdict: 'holds' | 'fails' | 'close' | undefined;
}

export interface Judgement {
  readonly claim: Claim;
  readonly verdict: Verdict;
  /** Cells that the rule names, and how many of them were measured. */
  readonly needed: number;
  readonly measured: number;
  readonly relations: readonly JudgedRelation[];
}

/** Judges a claim by the results of one machine. */
export function judge(claim: Claim, evidence: Evidence): Judgement {
  const queries = new Map<string, CellQuery>();
  for (const {terms} of claim.relations) for (const {cell} of terms) queries.set(nameQuery(cell), cell);
  const missing = new Set(claim.relations.flatMap((relation) => evidence.missing(relation).map(nameQuery)));
  const relations = claim.relations.map((relation): JudgedRelation => {
    const found = evidence.evaluate(relation, claim.relations.length);
    return {relation, found, verdict: found === undefined ? undefined : sideOf(relation, found)};
  });
  const [needed, measured] = [queries.size, queries.size - missing.size];
  return {claim, needed, measured, relations, verdict: verdictOf(relations, measured)};
}

function verdictOf(relations: readonly JudgedRelation[], measured: number): Verdict {
  if (relations.some(({found}) => found === undefined)) return measured === 0 ? 'not run' : 'partly';
  if (relations.some(({verdict}) => verdict === 'fails')) return 'fails';
  return relations.every(({verdict}) => verdict === 'holds') ? 'holds' : 'close';
}

function sideOf({least = -Infinity, most = Infinity}: Relation, {low, high}: Evaluated): 'holds' | 'fails' | 'close' {
  if (high < least || low > most) return 'fails';
  return low >= least && high <= most ? 'holds' : 'close';
}
