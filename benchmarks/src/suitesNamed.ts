import type {Suite} from './suite.ts';
import {suites} from './suites.ts';

/**
 * The suite with this id, and those whose ids begin with the id and a dash: a document whose figures have several axes
 * has one suite for each axis.
 *
 * @returns  in the order of `suites`; empty if there is no such suite
 */
export function suitesNamed(name: string): readonly Suite[] {
  return suites.filter(({id}) => id === name || id.startsWith(`${name}-`));
}
