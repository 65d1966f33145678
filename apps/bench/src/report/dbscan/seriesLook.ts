import {hueAt, HUES} from '../chart.ts';
import {subjectName, subjectsOf, type DbscanRun, type DbscanSection} from './section.ts';

/** Names the run only where there are several. */
export function seriesLabel(section: DbscanSection, run: DbscanRun, name: string): string {
  return section.runs.length > 1 ? `${name} · ${run.letter}` : name;
}

/** The colour of a subject, by its place in the section: the same in every chart. What did not run has none. */
export function hue(section: DbscanSection, name: string): string {
  const place = placeOf(section, name);
  return place < 0 ? 'var(--ink-2)' : hueAt(place);
}

/** How often the colours have been used up before a subject: its dash is another one then. */
export function turn(section: DbscanSection, name: string): number {
  return Math.floor(Math.max(0, placeOf(section, name)) / HUES);
}

function placeOf(section: DbscanSection, name: string): number {
  return subjectsOf(section).findIndex((subject) => subjectName(subject) === name);
}
