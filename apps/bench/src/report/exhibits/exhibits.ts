import {dclustExhibits} from './dclust.ts';
import type {ExhibitBuilder} from './exhibit.ts';
import {hybridExhibits} from './hybrid.ts';
import {meanShiftExhibits} from './meanShift.ts';
import {milanesiExhibits} from './milanesi.ts';

/** How the report shows each table, chart and picture of the documents, by its id. */
export const exhibits: Readonly<Record<string, ExhibitBuilder>> = {
  ...milanesiExhibits,
  ...meanShiftExhibits,
  ...hybridExhibits,
  ...dclustExhibits,
};
