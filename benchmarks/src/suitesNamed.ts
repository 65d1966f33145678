import type {Suite} from './suite.ts';
import {suites} from './suites.ts';

/**
 * The suite with this id, and those whose ids begin with it and a dash: a document whose figures have several axes has one
 * suite an axis.
 *
 * @returns  none where there is no such suite; else in the order of `suites`
 */
export function suitesNamed(name: string): readonly Suite[] {
  return suites.filter(({id}) => id === name || id.startsWith(`${name}-`));
}
