import {formatMs} from '@epsball/cli/command';
import type {Chart} from '../chart.ts';
import {AXES} from './axis.ts';
import {stageMs, STAGES} from './graphTable.ts';
import {drawPhases, type PhaseBar} from './phaseChart.ts';
import {measuredCells, subjectName, type DbscanSection} from './section.ts';
import {seriesLabel} from './seriesLook.ts';

const COLORS = {[STAGES[0].title]: 'var(--phase-3)', [STAGES[1].title]: 'var(--phase-4)'};

/** G-DBSCAN's execution breakdown at every workload; null where no cell ran it. */
export async function stageChart(section: DbscanSection): Promise<Chart | null> {
  const axis = AXES[section.suite.axis];
  const bars = section.runs.flatMap((run) =>
    measuredCells(run)
      .filter(({row}) => row === 'gdbscan')
      .map((cell): PhaseBar => {
        const ms = stageMs(cell);
        const label = seriesLabel(section, run, `${axis.describe(cell)}, ${subjectName(cell)}`);
        return {
          label,
          note: STAGES.map(({title}, stage) => `${title} ${formatMs(ms[stage])}`).join(', '),
          phaseMs: Object.fromEntries(STAGES.map(({title}, stage) => [title, ms[stage]])),
        };
      }),
  );
  const words = {
    name: 'stages',
    title: 'G-DBSCAN: graph construction and BFS',
    caption: 'Share of each stage in the two, by the device’s clock where it has one, else by the host’s.',
  };
  return drawPhases(words, bars, COLORS);
}
