import {dclustDocument} from './dclust.ts';
import type {SourceDocument} from './entry.ts';
import {hybridDocument} from './hybrid.ts';
import {meanShiftDocument} from './meanShift.ts';
import {milanesiDocument} from './milanesi.ts';

/** Every table, figure, listing and claim of the four source documents. */
export const documents: readonly SourceDocument[] = [
  milanesiDocument,
  hybridDocument,
  meanShiftDocument,
  dclustDocument,
];
