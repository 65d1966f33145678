import type {PrimitiveOperation} from '@epsball/benchmarks';
import {formatElements, formatRate} from '../../primitives/text.ts';
import {formatMs, formatPercent} from '@epsball/cli/command';
import {listGaps} from '../gaps.ts';
import {
  countsOf,
  familiesOf,
  findMeasured,
  operationName,
  rateOf,
  shareOfCopy,
  type PrimitiveRun,
  type PrimitiveSection,
} from './section.ts';

/** Findings of a section, in sentences: the checks, and each operation at the largest count that it ran. */
export function findingsOf(section: PrimitiveSection): string[] {
  return section.runs.flatMap((run) => {
    const prefix = section.runs.length > 1 ? `${run.letter}: ` : '';
    return findingsOfRun(section, run).map((sentence) => prefix + sentence);
  });
}

/** Why cells were left out or failed. */
export function gapsOf({runs}: PrimitiveSection): string[] {
  return listGaps(
    runs,
    ({operation, implementation, count}) => `${operation} ${implementation} at ${formatElements(count)}`,
  );
}

function findingsOfRun(section: PrimitiveSection, run: PrimitiveRun): string[] {
  const {cells} = run.result;
  const checked = cells.filter(({status, implementation}) => status === 'measured' && implementation === 'gpu').length;
  const failed = cells.filter(({status}) => status === 'failed').length;
  return [
    ...(checked === 0
      ? []
      : [`The results of all ${checked} measured GPU cells were right in full, in the first and in the last run.`]),
    ...(failed === 0
      ? []
      : [`${failed} ${failed === 1 ? 'cell' : 'cells'} failed; the list below the tables says why.`]),
    ...familiesOf(section).flatMap(({name, operations}) =>
      operations.flatMap((operation) => largestSentence(section, run, name, operation)),
    ),
  ];
}

function largestSentence(
  section: PrimitiveSection,
  run: PrimitiveRun,
  family: string,
  operation: PrimitiveOperation,
): string[] {
  const count = countsOf(section, operation).findLast(
    (one) => rateOf(findMeasured(run, operation, one, 'gpu')) !== null,
  );
  if (count === undefined) return [];
  const cell = findMeasured(run, operation, count, 'gpu');
  const rate = rateOf(cell);
  if (rate === null || cell?.device === null || cell === undefined) return [];
  const share = shareOfCopy(run, operation, count);
  const ofCopy = share === null ? '' : `, ${formatPercent(share)} of a copy`;
  const script = findMeasured(run, operation, count, 'javascript')?.wall ?? null;
  const beside = script === null ? '' : `; JavaScript ${formatMs(script.medianMs)}`;
  return [
    `${family}, ${operationName(operation)}, ${formatElements(count)}: ${formatMs(cell.device.medianMs)} on the device (${formatRate(rate)} GB/s${ofCopy})${beside}.`,
  ];
}
