import type {SectionView} from '../sectionView.ts';
import {drawCharts} from './charts.ts';
import {documentTable} from './documentTable.ts';
import {findingsOf} from './findings.ts';
import {loadPictures} from './pictures.ts';
import {flowTable} from './flowTable.ts';
import {graphTable} from './graphTable.ts';
import {indexTable} from './indexTable.ts';
import {kernelTable} from './kernelTable.ts';
import {peerTable} from './peerTable.ts';
import {gapsOf, resultTable} from './resultTable.ts';
import type {Table} from '../table.ts';
import {subjectName, type DbscanSection} from './section.ts';
import {speedUpTable} from './speedUpTable.ts';
import {threadTable} from './threadTable.ts';

export function dbscanView(section: DbscanSection): SectionView {
  const document = documentTable(section);
  const further: readonly (readonly [title: string, table: Table | null])[] = [
    ...(section.suite.baselines ?? []).map(
      (baseline) => [`Speed-up over ${subjectName(baseline)}`, speedUpTable(section, baseline)] as const,
    ),
    ['Graph construction and BFS', graphTable(section)],
    ['Device, copying and threads at the same time', flowTable(section)],
    ['Stages and threads', threadTable(section)],
    ['Index construction', indexTable(section)],
    ['Time by kernel', kernelTable(section)],
    ['Beside other programs', peerTable(section)],
  ];
  return {
    findings: findingsOf(section),
    tables: [
      {title: section.suite.memoryLimits === null ? 'Times' : 'Memory', table: resultTable(section)},
      ...further.flatMap(([title, table]) => (table === null ? [] : [{title, table}])),
    ],
    gaps: gapsOf(section),
    documents:
      document === null
        ? []
        : [{title: 'The document’s numbers, from its machines, beside ours, from ours', table: document}],
    drawCharts: () => drawCharts(section),
    loadPictures: (id) => loadPictures(section, id),
  };
}
