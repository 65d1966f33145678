import type {SectionView} from '../sectionView.ts';
import {drawCharts} from './charts.ts';
import {familyTable} from './familyTable.ts';
import {findingsOf, gapsOf} from './findings.ts';
import {familiesOf, type PrimitiveSection} from './section.ts';

export function primitiveView(section: PrimitiveSection): SectionView {
  return {
    findings: findingsOf(section),
    tables: familiesOf(section).map((family) => ({title: family.name, table: familyTable(section, family)})),
    gaps: gapsOf(section),
    documents: [],
    drawCharts: () => drawCharts(section),
    loadPictures: () => Promise.resolve([]),
  };
}
