import {isHostCounted, isSameSubject, type DbscanCell, type MemoryLimits, type Subject} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {listGaps} from '../gaps.ts';
import {AXES, type Place} from './axis.ts';
import {
  findCell,
  isAt,
  measuredCells,
  placesOf,
  speedUpsOf,
  subjectName,
  subjectsOf,
  type DbscanRun,
  type DbscanSection,
  type SpeedUp,
} from './section.ts';
import {bad, faint, numberColumn, plain, type Table, type TableCell, textColumn} from '../table.ts';

/** The main table of a section: one row a workload, one column a subject and run, then the speed-ups. */
export function resultTable(section: DbscanSection): Table {
  const limits = section.suite.memoryLimits;
  return limits === null ? timeTable(section) : memoryTable(section, limits);
}

/** Why cells were left out or failed. */
export function gapsOf({suite, runs}: DbscanSection): string[] {
  return listGaps(runs, (cell) => `${subjectName(cell)} at ${AXES[suite.axis].describe(cell)}`);
}

function timeTable(section: DbscanSection): Table {
  const axis = AXES[section.suite.axis];
  const subjects = subjectsOf(section);
  const speedUps = speedUpsOf(section);
  // Named baselines have tables of their own.
  const ratios = section.suite.baselines === undefined ? distinctRatios(speedUps) : [];
  const suffix = (run: DbscanRun): string => (section.runs.length > 1 ? ` · ${run.letter}` : '');
  const columns = [
    axis.isNumber ? numberColumn(axis.title) : textColumn(axis.title),
    ...section.runs.flatMap((run) => [
      ...subjects.map((subject) => numberColumn(subjectName(subject) + suffix(run))),
      ...ratios.map((ratio) =>
        numberColumn(`${subjectName(ratio.subject)} over ${subjectName(ratio.baseline)}${suffix(run)}`),
      ),
    ]),
    numberColumn('clusters'),
    numberColumn('noise'),
    textColumn('labels'),
  ];
  const rows = placesOf(section).map((place) => {
    const some = section.runs.flatMap(measuredCells).find((cell) => isAt(section, place, cell));
    return [
      plain(axis.format(place)),
      ...section.runs.flatMap((run) => [
        ...subjects.map((subject) => timeCell(findCell(section, run, place, subject))),
        ...ratios.map((ratio) => {
          const one = speedUps.find((s) => s.run === run && isAt(section, place, s.cell) && isSameRatio(s, ratio));
          return one === undefined ? faint('–') : plain(formatFactor(one.factor));
        }),
      ]),
      ...(some === undefined
        ? [faint('–'), faint('–'), faint('–')]
        : [
            plain(formatCount(some.clusterCount)),
            plain(formatPercent(some.noiseCount / some.n)),
            labelsCell(section, place),
          ]),
    ];
  });
  return {columns, rows};
}

/** Whether the cells of a place agree, and with what they were compared. */
function labelsCell(section: DbscanSection, place: Place): TableCell {
  const cells = section.runs.flatMap((run) =>
    subjectsOf(section).map((subject) => findCell(section, run, place, subject)),
  );
  const measured = cells.filter((cell) => cell?.status === 'measured');
  if (new Set(measured.map(({labelsHash}) => labelsHash)).size > 1) return bad('differ between runs');
  if (measured.some(({verifiedAgainst}) => verifiedAgainst.includes('definition')))
    return plain('equal, and to the definition');
  // A lone cell may have been compared with the labels of an earlier run.
  const isCompared =
    measured.length > 1 || measured.some(({verifiedAgainst}) => !verifiedAgainst.includes('reference'));
  return isCompared ? plain('equal') : faint('nothing to compare');
}

function memoryTable(section: DbscanSection, limits: MemoryLimits): Table {
  const suffix = (run: DbscanRun): string => (section.runs.length > 1 ? ` · ${run.letter}` : '');
  const columns = [
    numberColumn('points'),
    textColumn('variant'),
    ...section.runs.flatMap((run) =>
      ['host bytes a point', 'device bytes a point', 'time'].map((title) => numberColumn(title + suffix(run))),
    ),
  ];
  const rows = placesOf(section).flatMap((place) =>
    subjectsOf(section).map((subject) => [
      plain(formatCount(place.n)),
      plain(subjectName(subject)),
      ...section.runs.flatMap((run) => {
        const cell = findCell(section, run, place, subject);
        if (cell?.status !== 'measured') return [faint('–'), faint('–'), timeCell(cell)];
        const {hostBytesPerPoint, deviceBytesPerPoint} = cell.memory;
        const hostCounts = isHostCounted(cell, run.result.adapter, limits);
        return [
          hostCounts
            ? memoryCell(hostBytesPerPoint, limits.hostBytesPerPoint)
            : faint(formatBytesPerPoint(hostBytesPerPoint)),
          memoryCell(deviceBytesPerPoint, limits.deviceBytesPerPoint),
          timeCell(cell),
        ];
      }),
    ]),
  );
  return {columns, rows};
}

function timeCell(cell: DbscanCell | undefined): TableCell {
  if (cell === undefined) return faint('–');
  if (cell.status === 'leftOut') return faint('left out');
  if (cell.status === 'failed') return bad('failed');
  const notes: string[] = [];
  if (cell.wall.allMs.length > 1) notes.push(`±${formatPercent(cell.wall.spread / 2)}`);
  if (cell.device !== null) notes.push(`device ${formatMs(cell.device.medianMs)}`);
  return plain(formatMs(cell.wall.medianMs), notes.length === 0 ? undefined : notes.join(', '));
}

function memoryCell(bytes: number | null, limit: number): TableCell {
  if (bytes === null) return faint('–');
  return {
    text: formatBytesPerPoint(bytes),
    note: `of ${limit}`,
    tone: bytes > limit ? 'bad' : 'plain',
    share: Math.min(1, bytes / limit),
  };
}

interface Ratio {
  readonly subject: Subject;
  readonly baseline: Subject;
}

function distinctRatios(speedUps: readonly SpeedUp[]): Ratio[] {
  const ratios: Ratio[] = [];
  for (const one of speedUps) if (!ratios.some((known) => isSameRatio(known, one))) ratios.push(one);
  return ratios;
}

function isSameRatio(a: Ratio, b: Ratio): boolean {
  return isSameSubject(a.subject, b.subject) && isSameSubject(a.baseline, b.baseline);
}

/** `41.2` bytes per point, or a dash for null. */
function formatBytesPerPoint(bytes: number | null): string {
  return bytes === null ? '–' : bytes.toFixed(1);
}
