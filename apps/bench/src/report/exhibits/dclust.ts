import {REFERENCE, type MeasuredDbscanCell, type Subject} from '@epsball/benchmarks';
import {formatMs, formatPercent} from '@epsball/cli/command';
import {partsOf} from '../dbscan/kernelTable.ts';
import {drawPhases} from '../dbscan/phaseChart.ts';
import {timeWithoutIndex} from '../dbscan/section.ts';
import type {MachineRuns} from '../front/machines.ts';
import {fromDocument, numberColumn, plain, textColumn, faint, type Table, type TableCell} from '../table.ts';
import {PLAIN, PLAIN_CPU, STAR, starFactors, tableRows} from '../verdicts/dclust.ts';
import {sizeText} from '../verdicts/verdict.ts';
import type {Exhibit, ExhibitBuilder} from './exhibit.ts';
import {speedUpPanel} from './speedUpPanel.ts';

const COLOR = 'var(--document)';
const STAR_TITLES = ['DBSCAN with the directory', 'CUDA-DClust*'] as const;
const KERNEL_COLORS: Readonly<Record<string, string>> = {
  'cluster expansion': 'var(--phase-4)',
  'new seeds': 'var(--phase-1)',
  'collision matrix': 'var(--phase-3)',
  'seed refill': 'var(--phase-6)',
};

export const dclustExhibits = {
  'dc-fig7a': (machine) =>
    speedUpPanel(machine, {
      suite: 'dclust-none',
      name: 'dc-fig7a',
      baseline: PLAIN_CPU,
      subject: PLAIN,
      titles: ['DBSCAN without an index', 'CUDA-DClust'],
      words: ({n}) => ({30_000: '10', 1_000_000: '15'})[n] ?? '',
      timeMarks: [
        {x: 1_000_000, y: 9 * 3_600_000, text: 'document: nine hours', color: COLOR},
        {x: 1_000_000, y: 40 * 60_000, text: 'document: 40 minutes', color: COLOR},
      ],
      speedUpMarks: [
        {x: 30_000, y: 10, text: 'document: 10', color: COLOR},
        {x: 1_000_000, y: 15, text: 'document: 15', color: COLOR},
      ],
    }),
  'dc-fig7b': (machine) =>
    star(machine, 'dclust', 'dc-fig7b', {
      words: ({n}) => (n === 30_000 ? '3.5' : n === 2_000_000 ? 'almost 15' : n > 250_000 ? 'at least 10' : ''),
      speedUpMarks: [
        {x: 30_000, y: 3.5, text: 'document: 3.5', color: COLOR},
        {x: 2_000_000, y: 15, text: 'document: almost 15', color: COLOR},
      ],
    }),
  'dc-fig7c': (machine) =>
    star(machine, 'dclust-minpts', 'dc-fig7c', {
      // The document does not name the large values whose factor is 2.
      words: ({minPts}) => (minPts <= 512 ? 'between 10 and 5' : ''),
      bands: [{from: 4, to: 512, low: 5, high: 10, text: 'document: between 10 and 5'}],
    }),
  'dc-fig7d': (machine) =>
    star(machine, 'dclust-eps', 'dc-fig7d', {
      words: () => 'almost stable between 9 and 10',
      bands: [{from: 0.02, to: 0.1, low: 9, high: 10, text: 'document: almost stable between 9 and 10'}],
    }),
  'dc-fig7e': (machine) =>
    star(machine, 'dclust-dim', 'dc-fig7e', {
      words: () => 'about 7 to 12',
      bands: [{from: 4, to: 64, low: 7, high: 12, text: 'document: about 7 to 12'}],
    }),
  'dc-fig8a': (machine) => kernelShares(machine, 520_000, 'dc-fig8a'),
  'dc-fig8b': (machine) => kernelShares(machine, 4_000_000, 'dc-fig8b'),
  'dc-tab1': (machine) => Promise.resolve({tables: [{title: 'Table 1, ours beside it', table: tableOne(machine)}]}),
} satisfies Record<string, ExhibitBuilder>;

type Stated = Pick<Parameters<typeof speedUpPanel>[1], 'words' | 'speedUpMarks' | 'bands'>;

function star(machine: MachineRuns, suite: string, name: string, stated: Stated): Promise<Exhibit | null> {
  const baseline: Subject = REFERENCE;
  return speedUpPanel(machine, {
    suite,
    name,
    baseline,
    subject: STAR,
    titles: STAR_TITLES,
    factors: ({evidence}) => starFactors(evidence, suite).filter(({cell}) => cell.n >= 30_000 || suite !== 'dclust'),
    ...stated,
  });
}

/** One bar of Figure 8, with its shares in words. */
async function kernelShares({evidence}: MachineRuns, n: number, name: string): Promise<Exhibit | null> {
  const cell = evidence.cells('dclust-kernels').find((one) => one.n === n && partsOf(one).length > 0);
  if (cell === undefined) return null;
  const parts = partsOf(cell);
  const whole = parts.reduce((sum, {ms}) => sum + ms, 0);
  const note = parts.map(({title, ms}) => `${title} ${formatPercent(ms / whole)}`).join(', ');
  const words = {
    name,
    title: `Share of each kernel, ${sizeText(n)} points`,
    caption: `Device time of each kernel, ${formatMs(whole)} together; the host resolves the collision matrix.`,
  };
  const phaseMs = Object.fromEntries(parts.map(({title, ms}) => [title, ms]));
  const chart = await drawPhases(words, [{label: `${sizeText(n)} points`, note, phaseMs}], KERNEL_COLORS);
  return {charts: chart === null ? [] : [chart], tables: [{title: 'Time by kernel', table: kernelTable(parts, whole)}]};
}

function kernelTable(parts: ReturnType<typeof partsOf>, whole: number): Table {
  return {
    columns: [textColumn('kernel'), numberColumn('time'), numberColumn('share'), textColumn('document')],
    rows: parts.map(({title, ms}, k) => [
      plain(title),
      plain(formatMs(ms)),
      plain(formatPercent(ms / whole)),
      fromDocument(k === 0 ? 'the bulk of performance' : 'only … a small fraction'),
    ]),
  };
}

/** Table 1 in its columns, the document's numbers beside ours. */
function tableOne({evidence}: MachineRuns): Table {
  const titles = ['index', 'run without it', 'index / run'];
  return {
    columns: [
      numberColumn('N'),
      numberColumn('Dim'),
      ...['Index', 'GPU', 'Index / GPU'].map((title) => numberColumn(`document: ${title}`)),
      ...titles.map((title) => numberColumn(`ours: ${title}`)),
    ],
    rows: tableRows(evidence).map(({printed, cell}) => [
      ...printed.slice(0, 2).map((text) => plain(text)),
      ...printed.slice(2).map(fromDocument),
      ...oursOf(cell),
    ]),
  };
}

function oursOf(cell: MeasuredDbscanCell | undefined): TableCell[] {
  if (cell === undefined) return [faint('not run'), faint('–'), faint('–')];
  const [index, rest] = [cell.phaseMs['index'] ?? 0, timeWithoutIndex(cell)];
  return [plain(formatMs(index)), plain(formatMs(rest)), plain(formatPercent(index / rest))];
}
