import {NVPROF, REFERENCE, type MeasuredDbscanCell, type Subject} from '@epsball/benchmarks';
import {formatCount, formatFactor, formatMs, formatPercent} from '@epsball/cli/command';
import {graphTable} from '../dbscan/graphTable.ts';
import {drawPhases} from '../dbscan/phaseChart.ts';
import {loadPictures} from '../dbscan/pictures.ts';
import {speedUpsOf, subjectName} from '../dbscan/section.ts';
import {speedUpBars} from '../dbscan/speedUpBars.ts';
import {speedUpTable} from '../dbscan/speedUpTable.ts';
import {stageChart} from '../dbscan/stageChart.ts';
import {threadTable, threadTimes} from '../dbscan/threadTable.ts';
import {dbscanSection, type MachineRuns} from '../front/machines.ts';
import {lineChart} from '../lineChart.ts';
import {renderChart} from '../renderChart.ts';
import {faint, fromDocument, numberColumn, plain, textColumn, type Table, type TableCell} from '../table.ts';
import {variantHue} from '../variantHue.ts';
import type {Exhibit, ExhibitBuilder} from './exhibit.ts';
import {speedUpPanel} from './speedUpPanel.ts';

const SUITE = 'gdbscan-hybrid';
const ALL_PAIRS = {index: 'none'} as const;
const SEQ: Subject = {...REFERENCE, options: ALL_PAIRS};
const GDBSCAN: Subject = {row: 'gdbscan', backend: 'gpu', options: ALL_PAIRS};
const STAGE_COLORS = {'local computation': 'var(--phase-3)', merging: 'var(--phase-4)'};
const MOST = 200_000;

export const hybridExhibits = {
  'hy-fig-gdbscan-speedup': (machine) =>
    speedUpPanel(machine, {
      suite: SUITE,
      name: 'hy-gdbscan',
      baseline: SEQ,
      subject: GDBSCAN,
      titles: ['seq, all pairs', 'gdbscan, all pairs'],
      words: ({n}) => ({50_000: '10x', [MOST]: '15x'})[n] ?? '',
      speedUpMarks: [
        {x: 50_000, y: 10, text: 'document: 10x', color: 'var(--document)'},
        {x: MOST, y: 15, text: 'document: 15x', color: 'var(--document)'},
      ],
    }),
  'hy-fig-gdbscan-breakdown': async (machine) => {
    const section = dbscanSection(machine, SUITE);
    if (section === null) return null;
    const [chart, table] = [await stageChart(section), graphTable(section)];
    return {
      charts: chart === null ? [] : [{...chart, name: 'hy-breakdown'}],
      tables: table === null ? [] : [{title: 'Graph construction and BFS', table}],
    };
  },
  'hy-tab-nvprof': (machine) => Promise.resolve(profile(machine)),
  'hy-fig-dsseq-time': (machine) =>
    speedUpPanel(machine, {
      suite: SUITE,
      name: 'hy-dsseq',
      baseline: REFERENCE,
      subject: {row: 'pds', backend: 'sequential'},
      titles: ['seq, with a grid', 'ds-seq, with a grid'],
      words: () => '',
    }),
  'hy-fig-dsshm-speedup': threadSpeedUp,
  'hy-fig-dsshm-stages': stages,
  'hy-fig-dsshm-threads': byThread,
  'hy-fig-overall': async (machine) => {
    const section = dbscanSection(machine, SUITE);
    if (section === null) return null;
    const over = speedUpsOf(section).filter(({baseline}) => baseline.options?.['index'] === 'none');
    const chart = await speedUpBars(section, over, SEQ);
    const table = speedUpTable(section, SEQ);
    return {
      charts: chart === null ? [] : [{...chart, name: 'hy-overall'}],
      tables: table === null ? [] : [{title: `Speed-up over ${subjectName(SEQ)}`, table}],
    };
  },
  'hy-fig-appendix': async (machine) => {
    const section = dbscanSection(machine, 'gdbscan-hybrid-pictures');
    return section === null ? null : {pictures: await loadPictures(section, 'hy-appendix')};
  },
} satisfies Record<string, ExhibitBuilder>;

/** The document's profile, and ours: one row a phase, by the device's timestamps. */
function profile({evidence}: MachineRuns): Exhibit | null {
  const cell = evidence.cellsOf(SUITE, GDBSCAN).find(({n}) => n === MOST);
  if (cell === undefined) return null;
  const titles = ['Time(%)', 'Time', 'Calls', 'Avg', 'Min', 'Max'];
  const document: Table = {
    columns: [...titles.map(numberColumn), textColumn('Name')],
    rows: NVPROF.map((row) => row.map(fromDocument)),
  };
  const tables = [{title: 'The document’s listing', table: document}];
  if (cell.devicePhaseMs === null)
    return {tables, notes: ['The adapter has no timestamps, so ours has no device times.']};
  return {
    tables: [...tables, {title: `Ours, ${formatCount(MOST)} tweets, all pairs`, table: ourProfile(cell)}],
    notes: [
      'Ours has one row a phase. One dispatch of BFS processes a level of all searches together, so its calls are levels; the document starts a kernel for each level of each search. The shortest and longest call are not recorded.',
    ],
  };
}

const PHASE_NAMES: Readonly<Record<string, string>> = {
  index: 'preparation',
  core: 'degrees and edges (collectDegree, constructEaKernel)',
  clusters: 'BFS (bfsKernel)',
  borders: 'border points',
  readBack: 'read-back',
};

function ourProfile({devicePhaseMs, counters}: MeasuredDbscanCell): Table {
  const phases = Object.entries(devicePhaseMs ?? {}).sort((a, b) => b[1] - a[1]);
  const whole = phases.reduce((sum, [, ms]) => sum + ms, 0);
  return {
    columns: [...['Time(%)', 'Time', 'Calls', 'Avg'].map(numberColumn), textColumn('Name')],
    rows: phases.map(([phase, ms]): TableCell[] => {
      const calls = phase === 'clusters' ? counters['levels'] : undefined;
      return [
        plain(formatPercent(whole === 0 ? 0 : ms / whole)),
        plain(formatMs(ms)),
        calls === undefined ? faint('–') : plain(formatCount(calls)),
        calls === undefined || calls === 0 ? faint('–') : plain(formatMs(ms / calls)),
        plain(PHASE_NAMES[phase] ?? phase),
      ];
    }),
  };
}

/** ds-shm over threads: over one thread of itself, and over the sequential code. */
async function threadSpeedUp({evidence}: MachineRuns): Promise<Exhibit | null> {
  const cells = evidence.cells('threads').filter(({backend}) => backend === 'workers');
  const one = cells.find(({threads}) => threads === 1);
  const [seq] = evidence.cellsOf('threads', REFERENCE);
  if (one === undefined || seq === undefined) return null;
  const over = (base: MeasuredDbscanCell): {x: number; y: number}[] =>
    cells.map(({threads, wall}) => ({x: threads, y: base.wall.medianMs / wall.medianMs}));
  const series = [
    {label: 'over ds-shm on 1 thread', color: variantHue('pds'), dash: [], points: over(one)},
    {label: 'over seq', color: variantHue('sequential'), dash: [2, 3], points: over(seq)},
  ];
  const title = 'ds-shm: speed-up over threads';
  const x = {title: 'threads', log: true, ticks: cells.map(({threads}) => threads)};
  const bands = [{from: 1, to: 4, low: 1, high: 4, text: 'document: linear well until 4'}];
  const spec = lineChart({series, marks: [], bands, x, y: {log: false, unit: 'factor'}, rule: 1});
  return {
    charts: [
      {
        name: 'hy-dsshm-speed-up',
        title,
        caption: `${formatCount(one.n)} tweets, eps 0.01, minPts 40, with a grid.`,
        svg: await renderChart(spec, title),
      },
    ],
    tables: [
      {
        title,
        table: {
          columns: ['threads', 'time', 'over one thread', 'over seq'].map(numberColumn),
          rows: cells.map(({threads, wall}) => [
            plain(String(threads)),
            plain(formatMs(wall.medianMs)),
            plain(formatFactor(one.wall.medianMs / wall.medianMs)),
            plain(formatFactor(seq.wall.medianMs / wall.medianMs)),
          ]),
        },
      },
    ],
  };
}

async function stages(machine: MachineRuns): Promise<Exhibit | null> {
  const section = dbscanSection(machine, 'threads');
  const cells = machine.evidence.cells('threads').filter(({counters}) => counters['localMs'] !== undefined);
  if (section === null || cells.length === 0) return null;
  const bars = cells.map(({threads, counters}) => {
    const {localMs = 0, mergeMs = 0} = counters;
    const label = threads === 1 ? '1 thread' : `${threads} threads`;
    const note = `local computation ${formatMs(localMs)}, merging ${formatMs(mergeMs)}`;
    return {label, note, phaseMs: {'local computation': localMs, merging: mergeMs}};
  });
  const words = {name: 'hy-stages', title: 'ds-shm: its two stages', caption: 'Wall time of each stage.'};
  const chart = await drawPhases(words, bars, STAGE_COLORS);
  const table = threadTable(section);
  return {
    charts: chart === null ? [] : [chart],
    tables: table === null ? [] : [{title: 'Stages and threads', table}],
  };
}

async function byThread({evidence}: MachineRuns): Promise<Exhibit | null> {
  const cell = evidence.cellsOf('threads', {row: 'pds', backend: 'workers', threads: 8}).at(-1);
  const times = cell === undefined ? [] : threadTimes(cell, 'local');
  if (cell === undefined || times.length === 0) return null;
  const title = 'Local computation by thread, 8 threads';
  const bars = times.map((ms, thread) => ({thread: thread + 1, ms, text: formatMs(ms)}));
  const y = {field: 'thread', type: 'ordinal', title: 'thread', axis: {domain: false, ticks: false}} as const;
  const x = {field: 'ms', type: 'quantitative', title: 'ms', scale: {zero: true}} as const;
  const svg = await renderChart(
    {
      width: 330,
      height: bars.length * 22,
      autosize: 'none',
      padding: {left: 44, right: 26, top: 6, bottom: 42},
      layer: [
        {
          data: {values: bars},
          mark: {type: 'bar', color: variantHue('pds'), height: 15, cornerRadius: 2},
          encoding: {x, y},
        },
        {
          data: {values: bars},
          mark: {type: 'text', align: 'right', dx: -5, fontSize: 12, color: 'var(--surface)'},
          encoding: {x, y, text: {field: 'text', type: 'nominal'}},
        },
      ],
    },
    title,
  );
  return {charts: [{name: 'hy-by-thread', title, caption: `${formatCount(cell.n)} tweets.`, svg}]};
}
