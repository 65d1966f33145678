import {dbscanView} from './dbscan/view.ts';
import {meanShiftView} from './meanShift/view.ts';
import type {Section} from './model.ts';
import {primitiveView} from './primitives/view.ts';
import type {SectionView} from './sectionView.ts';

/** The one place of a report that tells the kinds of sections apart, the rows of its CSV aside. */
export function viewOf(section: Section): SectionView {
  switch (section.kind) {
    case 'dbscan':
      return dbscanView(section);
    case 'primitives':
      return primitiveView(section);
    default:
      return meanShiftView(section);
  }
}
