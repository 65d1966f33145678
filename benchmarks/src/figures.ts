import {dclust} from './figures/dclust.ts';
import {hybrid} from './figures/hybrid.ts';
import {meanShift} from './figures/meanShift.ts';
import {milanesi} from './figures/milanesi.ts';
import type {Figure} from './figures/terms.ts';

export type * from './figures/terms.ts';

/** Figures by the id of their entry. */
export const figures: Readonly<Record<string, Figure>> = {...milanesi, ...hybrid, ...meanShift, ...dclust};
