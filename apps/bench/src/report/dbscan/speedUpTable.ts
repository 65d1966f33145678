import {isSameSubject, type Subject} from '@epsball/benchmarks';
import {formatFactor} from '@epsball/cli/command';
import {faint, numberColumn, plain, textColumn, type Table} from '../table.ts';
import {AXES} from './axis.ts';
import {columnOf, isAt, placesOf, speedUpsOf, subjectName, subjectsOf, type DbscanSection} from './section.ts';

/**
 * The speed-ups over one baseline of a suite that names its baselines: one row a subject, one column a place and run.
 *
 * @returns  null where nothing was divided by it
 */
export function speedUpTable(section: DbscanSection, baseline: Subject): Table | null {
  const speedUps = speedUpsOf(section).filter((one) => isSameSubject(one.baseline, baseline));
  if (speedUps.length === 0) return null;
  const {describe} = AXES[section.suite.axis];
  const many = section.runs.length > 1;
  const places = placesOf(section);
  const columns = [
    textColumn('variant'),
    ...section.runs.flatMap((run) =>
      places.map((place) => numberColumn(many ? `${describe(place)} · ${run.letter}` : describe(place))),
    ),
  ];
  const rows = subjectsOf(section)
    .filter((subject) => speedUps.some((one) => isSameSubject(one.subject, subject)))
    .map((subject) => [
      plain(subjectName(subject)),
      ...section.runs.flatMap((run) =>
        places.map((place) => {
          const one = speedUps.find(
            (speedUp) =>
              speedUp.run === run &&
              isAt(section, place, speedUp.cell) &&
              isSameSubject(columnOf(section, speedUp.cell), subject),
          );
          return one === undefined ? faint('–') : plain(formatFactor(one.factor));
        }),
      ),
    ]);
  return {columns, rows};
}
