import {isHostCounted, REFERENCE, type MeasuredDbscanCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {DEFINITION_LIMIT} from '@epsball/clustering/definition';
import {AXES, type Place} from './axis.ts';
import {
  isAt,
  machineOf,
  measuredCells,
  placesOf,
  speedUpsOf,
  subjectName,
  type DbscanRun,
  type DbscanSection,
  type SpeedUp,
} from './section.ts';

/** Findings of a section, in sentences, for the summary at the top of a report. */
export function findingsOf(section: DbscanSection): string[] {
  return section.runs.flatMap((run) => {
    const prefix = section.runs.length > 1 ? `${run.letter}: ` : '';
    return findingsOfRun({...section, runs: [run]}, run).map((sentence) => prefix + sentence);
  });
}

function findingsOfRun(section: DbscanSection, run: DbscanRun): string[] {
  const {suite} = section;
  const measured = measuredCells(run);
  const failed = run.result.cells.filter(({status}) => status === 'failed').length;
  const sentences: string[] = [];
  sentences.push(...agreement(measured));
  if (failed > 0) sentences.push(`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the table says why.`);
  if (suite.memoryLimits !== null) return [...sentences, ...memorySentences(section, run)];
  const axis = AXES[suite.axis];
  const places = placesOf(section).filter((place) => measured.some((cell) => isAt(section, place, cell)));
  for (const place of axis.isNumber ? places.slice(-1) : places) sentences.push(fastestSentence(section, run, place));
  // An axis without numbers has no largest place, and findings for all places would fill the page.
  const speedUps = axis.isNumber ? speedUpsOf(section) : [];
  const largest = speedUps.reduce((most, {cell}) => Math.max(most, axis.valueOf(cell)), 0);
  const atLargest = speedUps.filter((one) => axis.valueOf(one.cell) === largest);
  for (const {subject, baseline, cell, factor} of suite.baselines === undefined ? atLargest : bestOf(atLargest)) {
    sentences.push(
      `${subjectName(subject)} ${comparison(factor)} as ${subjectName(baseline)} at ${axis.describe(cell)}.`,
    );
  }
  return sentences;
}

/** What the labels of the measured cells were compared with. */
function agreement(measured: readonly MeasuredDbscanCell[]): string[] {
  const others = measured.filter(isComparedWithAnother);
  const cells = measured.filter((cell) => !isComparedWithAnother(cell));
  const byDefinition = cells.some(({verifiedAgainst}) => verifiedAgainst.includes('definition'));
  const definition = byDefinition ? `; up to ${formatCount(DEFINITION_LIMIT)} points also of the O(n²) definition` : '';
  const all = others.length === 0 ? 'All ' : '';
  const count = cells.length === 1 ? 'The one measured cell' : `${all}${formatCount(cells.length)} measured cells`;
  const bySequential = `${count} gave the labels of the ${REFERENCE.row} variant, byte for byte${definition}.`;
  const sizes = [...new Set(others.map(({n}) => formatCount(n)))].join(', ');
  const byAgreement = `At ${sizes} points ${nameAll(others)} gave the same labels, byte for byte; the ${REFERENCE.row} variant was not run on so many.`;
  return [...(cells.length > 0 ? [bySequential] : []), ...(others.length > 0 ? [byAgreement] : [])];
}

/** Whether a cell was compared with another variant than the sequential one, or is that other variant. */
function isComparedWithAnother({row, verifiedAgainst}: MeasuredDbscanCell): boolean {
  return verifiedAgainst.includes('agreement') || (row !== REFERENCE.row && verifiedAgainst.includes('reference'));
}

function nameAll(cells: readonly MeasuredDbscanCell[]): string {
  return [...new Set(cells.map(subjectName))].join(' and ');
}

/** The largest factor over each baseline: their tables have the others. */
function bestOf(speedUps: readonly SpeedUp[]): SpeedUp[] {
  const byBaseline = Map.groupBy(speedUps, ({baseline}) => subjectName(baseline));
  return [...byBaseline.values()].map((all) => all.reduce((best, one) => (one.factor > best.factor ? one : best)));
}

/** Words that state which of the two is faster. */
function comparison(factor: number): string {
  return factor >= 1 ? `was ${formatFactor(factor)} as fast` : `took ${formatFactor(1 / factor)} as long`;
}

function fastestSentence(section: DbscanSection, run: DbscanRun, place: Place): string {
  const cells = measuredCells(run).filter((cell) => isAt(section, place, cell));
  const best = cells.reduce((fastest, cell) => (cell.wall.medianMs < fastest.wall.medianMs ? cell : fastest));
  const device = best.device === null ? '' : ` (${formatMs(best.device.medianMs)} on the device)`;
  const {axis} = section.suite;
  const where = AXES[axis].describe(best);
  const what = axis === 'n' || axis === 'dataset' ? where : `${formatCount(best.n)} points at ${where}`;
  return `${what}: fastest was ${subjectName(best)} with ${formatMs(best.wall.medianMs)}${device} on ${machineOf(run, best.backend)}. It found ${formatCount(best.clusterCount)} ${best.clusterCount === 1 ? 'cluster' : 'clusters'} and ${formatPercent(best.noiseCount / best.n)} noise.`;
}

function memorySentences({suite}: DbscanSection, run: DbscanRun): string[] {
  const limits = suite.memoryLimits;
  if (limits === null) return [];
  const cells = measuredCells(run).filter(({row}) => limits.rows.includes(row));
  const host = cells
    .filter((cell) => isHostCounted(cell, run.result.adapter, limits))
    .flatMap(({memory}) => memory.hostBytesPerPoint ?? []);
  const device = cells.flatMap(({memory}) => memory.deviceBytesPerPoint ?? []);
  return [
    ...(host.length === 0
      ? []
      : [
          `At most ${Math.max(...host).toFixed(1)} host bytes a point beyond input and output; promised are ${limits.hostBytesPerPoint}.`,
        ]),
    ...(device.length === 0
      ? []
      : [
          `At most ${Math.max(...device).toFixed(1)} device bytes a point; promised are ${limits.deviceBytesPerPoint}.`,
        ]),
  ];
}
