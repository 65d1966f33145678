import type {LabelOrder} from '@epsball/scale-out';
import {UsageError} from '../errors.ts';
import {STANDARD_INPUT} from '../options.ts';

/** Choices of `--order`. */
export const ORDERS: readonly LabelOrder[] = ['input', 'tile'];

/** Flags of `epsball cluster` that belong to `--work`. */
export interface OutOfCoreOptions {
  readonly work?: string;
  readonly memory?: number;
  readonly concurrency?: number;
  readonly run?: string;
  readonly scaleOut?: string;
  readonly workers?: number;
  readonly order?: LabelOrder;
}

/** Flags that do not work out of core. */
export interface InCoreOptions {
  readonly dataset?: string;
  readonly plot?: string;
  readonly verify?: boolean;
  readonly index?: string;
  readonly option?: unknown;
  readonly metric?: string;
  readonly weightColumn?: string;
  readonly saveModel?: string;
  readonly collapse?: boolean;
}

/** The first flag that needs `--work`. */
export function flagNeedingWork({
  memory,
  concurrency,
  run,
  scaleOut,
  workers,
  order,
}: OutOfCoreOptions): string | undefined {
  const needing = {
    '--memory': memory,
    '--concurrency': concurrency,
    '--run': run,
    '--scale-out': scaleOut,
    '--workers': workers,
    '--order': order,
  };
  return Object.entries(needing).find(([, value]) => value !== undefined)?.[0];
}

/**
 * Whether the run is out of core.
 *
 * @throws UsageError  if a flag needs `--work`, or does not work with it
 */
export function refuseWithoutWork(options: OutOfCoreOptions & InCoreOptions): boolean {
  if (options.work === undefined) {
    const flag = flagNeedingWork(options);
    if (flag !== undefined) throw new UsageError('--work', undefined, `a folder, since ${flag} is given`);
    return false;
  }
  if (options.workers !== undefined && options.scaleOut === undefined) {
    throw new UsageError('--scale-out', undefined, 'the URL of a Redis, since --workers is given');
  }
  const {dataset, plot, verify, index, option, metric, weightColumn, saveModel, collapse} = options;
  const refused = {
    '--dataset': dataset,
    '--plot': plot,
    '--verify': verify,
    '--index': index,
    '--option': option,
    '--metric': metric === 'euclidean' ? undefined : metric,
    '--weight-column': weightColumn,
    '--save-model': saveModel,
    '--collapse': collapse,
  };
  const [flag, value] = Object.entries(refused).find(([, given]) => given !== undefined) ?? [];
  if (flag === '--metric') throw new UsageError(flag, String(value), 'euclidean with --work');
  if (flag !== undefined)
    throw new UsageError(flag, String(value), `${flag} left out, as it does not work with --work`);
  return true;
}

/** @throws UsageError  if the input is standard input */
export function refuseStandardInput(input: string): void {
  if (input === STANDARD_INPUT) throw new UsageError('INPUT', input, 'a file, a pattern or s3://… with --work');
}
