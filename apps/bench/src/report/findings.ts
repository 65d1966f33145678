import type {MeasuredCell} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from './format.ts';
import {isHostCounted} from './hostCounted.ts';
import {
  findCell,
  machineOf,
  measuredCells,
  speedUpsOf,
  subjectName,
  workloadsOf,
  type Run,
  type Section,
} from './model.ts';

/** What a section found, in sentences; the summary at the top of a report. */
export function findingsOf(section: Section): string[] {
  return section.runs.flatMap((run) => {
    const prefix = section.runs.length > 1 ? `${run.letter}: ` : '';
    return findingsOfRun({suite: section.suite, runs: [run]}, run).map((sentence) => prefix + sentence);
  });
}

/** Where the largest cells of a software adapter mislead, the report says so. */
export function softwareWarning(run: Run): string | null {
  const {adapter} = run.result;
  if (adapter === null || adapter.kind === 'hardware') return null;
  return `The GPU cells ran on ${adapter.name}, a software adapter: the processor plays GPU. They show that the code is right, and say nothing of the speed of a GPU.`;
}

function findingsOfRun(section: Section, run: Run): string[] {
  const {suite} = section;
  const measured = measuredCells(run);
  const failed = run.result.cells.filter(({status}) => status === 'failed').length;
  const sentences: string[] = [];
  if (measured.length > 0) sentences.push(agreement(measured));
  if (failed > 0) sentences.push(`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the table says why.`);
  if (suite.memoryLimits !== null) return [...sentences, ...memorySentences(section, run)];
  const fastest = fastestSentence(section, run);
  if (fastest !== null) sentences.push(fastest);
  const speedUp = speedUpsOf(section);
  const largest = speedUp.reduce((most, one) => Math.max(most, suite.axis === 'n' ? one.n : one.eps), 0);
  for (const one of speedUp.filter(({n, eps}) => (suite.axis === 'n' ? n : eps) === largest)) {
    const where = suite.axis === 'n' ? `at ${formatCount(one.n)} points` : `at eps ${one.eps}`;
    sentences.push(`${subjectName(one.subject)} ${comparison(one.factor)} as ${subjectName(one.baseline)} ${where}.`);
  }
  return sentences;
}

function agreement(cells: readonly MeasuredCell[]): string {
  const count = cells.length === 1 ? 'The one measured cell' : `All ${cells.length} measured cells`;
  const byDefinition = cells.some(({verifiedAgainst}) => verifiedAgainst.includes('definition'));
  const definition = byDefinition ? '; up to 4,000 points also of the O(n²) definition' : '';
  return `${count} gave the labels of the sequential variant, byte for byte${definition}.`;
}

/** Words that cannot be read the wrong way round. */
function comparison(factor: number): string {
  return factor >= 1 ? `was ${formatFactor(factor)} as fast` : `took ${formatFactor(1 / factor)} as long`;
}

function fastestSentence(section: Section, run: Run): string | null {
  const workload = workloadsOf(section).findLast((one) =>
    run.result.cells.some((cell) => cell.status === 'measured' && cell.dataset === one.dataset && cell.eps === one.eps),
  );
  if (workload === undefined) return null;
  const cells = measuredCells(run).filter((cell) => findCell(run, workload, cell) === cell);
  const best = cells.reduce((fastest, cell) => (cell.wall.medianMs < fastest.wall.medianMs ? cell : fastest));
  const device = best.device === null ? '' : ` (${formatMs(best.device.medianMs)} on the device)`;
  const what =
    section.suite.axis === 'n' ? `${formatCount(best.n)} points` : `${formatCount(best.n)} points at eps ${best.eps}`;
  return `${what}: fastest was ${subjectName(best)} with ${formatMs(best.wall.medianMs)}${device} on ${machineOf(run, best.backend)}. It found ${formatCount(best.clusterCount)} clusters and ${formatPercent(best.noiseCount / best.n)} noise.`;
}

function memorySentences({suite}: Section, run: Run): string[] {
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
