import {formatCount} from '@epsball/cli/command';
import {meanShiftSection, type MachineRuns} from '../front/machines.ts';
import {speedUpChart, tileChart, timeChart} from '../meanShift/charts.ts';
import {globalTable, pairTable, threadTable, tileTable} from '../meanShift/tables.ts';
import type {MeanShiftRun, MeanShiftSection} from '../meanShift/section.ts';
import type {Chart} from '../chart.ts';
import type {Table} from '../table.ts';
import type {Exhibit, ExhibitBuilder} from './exhibit.ts';

type TableOf = (section: MeanShiftSection, run: MeanShiftRun) => Table;
type ChartOf = (section: MeanShiftSection) => Promise<Chart | null>;

export const meanShiftExhibits = {
  'ms-fig-threads': (machine) => exhibit(machine, 'Worker threads: time and speed-up', threadTable, speedUpChart),
  'ms-fig-tile': (machine) => exhibit(machine, null, null, tileChart),
  'ms-tab-tile': (machine) => {
    const n = meanShiftSection(machine)?.suite.tileSweepN ?? 0;
    return exhibit(machine, `TILE_WIDTH at ${formatCount(n)} points`, tileTable, null);
  },
  'ms-tab-naive': (machine) => exhibit(machine, 'Naive against tiling', (s, run) => pairTable(s, run, 'naive'), null),
  'ms-tab-seq': (machine) =>
    exhibit(machine, 'Sequential against tiling', (s, run) => pairTable(s, run, 'sequential'), null),
  'ms-tab-global': (machine) => exhibit(machine, 'Global comparison', globalTable, timeChart),
} satisfies Record<string, ExhibitBuilder>;

async function exhibit(
  machine: MachineRuns,
  title: string | null,
  tableOf: TableOf | null,
  chartOf: ChartOf | null,
): Promise<Exhibit | null> {
  const section = meanShiftSection(machine);
  if (section === null) return null;
  const table = tableOf?.(section, section.runs[0]);
  const chart = chartOf === null ? null : await chartOf(section);
  return {
    tables: table === undefined || title === null ? [] : [{title, table}],
    charts: chart === null ? [] : [{...chart, name: `ms-${chart.name}`}],
  };
}
