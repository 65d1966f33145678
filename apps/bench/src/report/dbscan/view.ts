import type {SectionView} from '../view.ts';
import {drawCharts} from './charts.ts';
import {documentTable} from './documentTable.ts';
import {findingsOf} from './findings.ts';
import {loadPictures} from './pictures.ts';
import {indexTable} from './indexTable.ts';
import {kernelTable} from './kernelTable.ts';
import {gapsOf, resultTable} from './resultTable.ts';
import type {Table} from '../table.ts';
import type {DbscanSection} from './section.ts';
import {threadTable} from './threadTable.ts';

export function dbscanView(section: DbscanSection): SectionView {
  const document = documentTable(section);
  const further: readonly (readonly [title: string, table: Table | null])[] = [
    ['Stages and threads', threadTable(section)],
    ['Index construction', indexTable(section)],
    ['Time by kernel', kernelTable(section)],
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
