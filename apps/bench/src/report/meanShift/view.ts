import type {SectionView} from '../sectionView.ts';
import {drawCharts} from './charts.ts';
import {findingsOf, gapsOf} from './findings.ts';
import type {MeanShiftSection} from './section.ts';
import {tablesOf} from './tables.ts';

export function meanShiftView(section: MeanShiftSection): SectionView {
  return {
    findings: findingsOf(section),
    tables: tablesOf(section),
    gaps: gapsOf(section),
    documents: [],
    drawCharts: () => drawCharts(section),
    loadPictures: () => Promise.resolve([]),
  };
}
