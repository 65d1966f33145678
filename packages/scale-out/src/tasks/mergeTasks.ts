import {joinReports} from '../tiling/joinReports.ts';
import {labelCandidates, mergeClusters} from '../tiling/mergeClusters.ts';
import type {RunPlan} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {finalTiling} from '../tilingRounds.ts';
import {labelsOf, viewAs} from '../typedViews.ts';
import {clusterOf, ownPoints, rangeReport, tileSections, type TileFacts} from './tileFile.ts';

/** What `join` writes: links, then candidates: rows and keys; all float64. */
interface JoinFacts {
  readonly links: number;
  readonly candidates: number;
}

/** What `merge` finds. It writes the label of each key. */
export interface MergeFacts {
  readonly clusterCount: number;
  readonly keyCount: number;
  readonly isWide: boolean;
}

/** What `gather` writes: labels of a range of rows (int32, or float64 if wide), then core flags. */
export interface GatherFacts {
  readonly rowCount: number;
}

/** What `label` writes: rows of a tile's own points (float64), labels (int32, or float64 if wide), core flags. */
export interface TileLabelFacts {
  readonly rowCount: number;
}

export function rangeCount({rowCount, rangeRows}: RunPlan): number {
  return Math.ceil(rowCount / rangeRows);
}

/** Joins the reports of all tiles about a range of rows. */
export async function runJoin(files: RunFiles, range: number): Promise<void> {
  const {rangeRows} = await files.plan();
  const tiles = await tilesWithKeys(files);
  const reports = [];
  for (const {task, facts, firstKey} of tiles) {
    const [start, end] = tileSections(facts).reports(range);
    if (start === end) continue;
    const bytes = await files.readData(task, start, end);
    reports.push(rangeReport(bytes, facts, range, range * rangeRows, firstKey));
  }
  const {links, candidateRows, candidateKeys} = joinReports(reports);
  const facts: JoinFacts = {links: links.length, candidates: candidateRows.length};
  await files.finish({kind: 'join', index: range}, facts, [links, candidateRows, candidateKeys]);
}

/** Unites the local clusters of all tiles, and numbers them. */
export async function runMerge(files: RunFiles): Promise<void> {
  const tiles = await tilesWithKeys(files);
  const keyCount = tiles.reduce((sum, {facts}) => sum + facts.clusterCount, 0);
  const firstCoreRows = new Float64Array(keyCount);
  for (const {task, facts, firstKey} of tiles) {
    const [start, end] = tileSections(facts).firstCoreRows;
    const bytes = await files.readData(task, start, end);
    firstCoreRows.set(viewAs(Float64Array, bytes, 0, facts.clusterCount), firstKey);
  }
  const links: Float64Array[] = [];
  for (let range = 0; range < rangeCount(await files.plan()); range++) {
    const task = {kind: 'join', index: range} as const;
    const facts = await files.facts<JoinFacts>(task);
    links.push(viewAs(Float64Array, await files.readData(task, 0, 8 * facts.links), 0, facts.links));
  }
  const {labelOf, clusterCount} = mergeClusters(firstCoreRows, links);
  const facts: MergeFacts = {clusterCount, keyCount, isWide: labelOf instanceof Float64Array};
  await files.finish({kind: 'merge', index: 0}, facts, [labelOf]);
}

/** Writes the labels and core flags of a range of rows. */
export async function runGather(files: RunFiles, range: number): Promise<void> {
  const plan = await files.plan();
  const firstRow = range * plan.rangeRows;
  const rowCount = Math.min(plan.rangeRows, plan.rowCount - firstRow);
  const labelOf = await readLabelOf(files);
  const labels = labelOf instanceof Int32Array ? new Int32Array(rowCount) : new Float64Array(rowCount);
  const coreMask = new Uint8Array(rowCount);
  for (const {task, facts, firstKey} of await tilesWithKeys(files)) {
    const [start, end] = tileSections(facts).own(range);
    if (start === end) continue;
    const {offsets, codes} = ownPoints(await files.readData(task, start, end), facts.own[range]);
    for (let k = 0; k < offsets.length; k++) {
      const code = codes[k];
      labels[offsets[k]] = code < 2 ? -1 : labelOf[firstKey + clusterOf(code)];
      coreMask[offsets[k]] = code & 1;
    }
  }
  const candidates = await readCandidates(files, range);
  labelCandidates(candidates, {labelOf}, (row, label) => {
    labels[row - firstRow] = label;
  });
  await files.finish({kind: 'gather', index: range}, {rowCount} satisfies GatherFacts, [labels, coreMask]);
}

/** Writes rows, labels and core flags of the points that a tile owns. */
export async function runLabel(files: RunFiles, tile: number): Promise<void> {
  const {rangeRows} = await files.plan();
  const labelOf = await readLabelOf(files);
  const {task, facts, firstKey} = (await tilesWithKeys(files))[tile];
  const rowCount = facts.own.reduce((sum, count) => sum + count, 0);
  const rows = new Float64Array(rowCount);
  const labels = labelOf instanceof Int32Array ? new Int32Array(rowCount) : new Float64Array(rowCount);
  const coreMask = new Uint8Array(rowCount);
  let at = 0;
  for (const [range, count] of facts.own.entries()) {
    if (count === 0) continue;
    const {offsets, codes} = ownPoints(await files.readData(task, ...tileSections(facts).own(range)), count);
    for (let k = 0; k < count; k++) {
      rows[at + k] = range * rangeRows + offsets[k];
      labels[at + k] = codes[k] < 2 ? -1 : labelOf[firstKey + clusterOf(codes[k])];
      coreMask[at + k] = codes[k] & 1;
    }
    // Candidates of all tiles and rows of this one ascend: one walk finds the common ones.
    let k = at;
    labelCandidates(await readCandidates(files, range), {labelOf}, (row, label) => {
      while (k < at + count && rows[k] < row) k++;
      if (k < at + count && rows[k] === row) labels[k] = label;
    });
    at += count;
  }
  await files.finish({kind: 'label', index: tile}, {rowCount} satisfies TileLabelFacts, [rows, labels, coreMask]);
}

/** The global label of each key. */
async function readLabelOf(files: RunFiles): Promise<Int32Array | Float64Array> {
  const task = {kind: 'merge', index: 0} as const;
  const {keyCount, isWide} = await files.facts<MergeFacts>(task);
  const type = labelsOf(isWide);
  const bytes = await files.readData(task, 0, keyCount * type.BYTES_PER_ELEMENT);
  return viewAs(type, bytes, 0, keyCount);
}

/** The border points of a range that several clusters claim. */
async function readCandidates(
  files: RunFiles,
  range: number,
): Promise<{candidateRows: Float64Array; candidateKeys: Float64Array}> {
  const task = {kind: 'join', index: range} as const;
  const {links, candidates} = await files.facts<JoinFacts>(task);
  const bytes = await files.readData(task, 8 * links, 8 * (links + 2 * candidates));
  return {
    candidateRows: viewAs(Float64Array, bytes, 0, candidates),
    candidateKeys: viewAs(Float64Array, bytes, 8 * candidates, candidates),
  };
}

/** All tiles, each with the key of its cluster 0. */
async function tilesWithKeys(
  files: RunFiles,
): Promise<{task: {kind: 'tile'; index: number}; facts: TileFacts; firstKey: number}[]> {
  const {tiling} = await finalTiling(files);
  const tiles = [];
  let firstKey = 0;
  for (let index = 0; index < tiling.tileCount; index++) {
    const task = {kind: 'tile', index} as const;
    const facts = await files.facts<TileFacts>(task);
    tiles.push({task, facts, firstKey});
    firstKey += facts.clusterCount;
  }
  return tiles;
}
