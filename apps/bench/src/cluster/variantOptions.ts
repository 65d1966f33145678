import type {OptionValue, VariantOptionValues} from '@epsball/dbscan';
import {UsageError} from '../errors.ts';

const OPTION = '--option';

/** What was typed of a variant's own options. */
export interface TypedOptions {
  /** `--index`, the one that most variants have. */
  readonly index?: string;
  /** `--option name=value`, by name. */
  readonly option?: VariantOptionValues;
}

/**
 * A parser of `--option name=value`, which may be given several times, for commander.
 *
 * @param before  the options so far
 */
export function collectOption(text: string, before: VariantOptionValues = {}): VariantOptionValues {
  const [, name, value] = /^([A-Za-z]\w*)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new UsageError(OPTION, text, 'name=value, such as index=none');
  if (Object.hasOwn(before, name)) throw new UsageError(OPTION, text, 'every name once');
  return {...before, [name]: valueOf(value)};
}

/**
 * The options by name, as `createDbscan` takes them.
 *
 * @throws UsageError  if the index is named twice
 */
export function wishedOptions({index, option = {}}: TypedOptions): VariantOptionValues {
  if (index === undefined) return option;
  if (Object.hasOwn(option, 'index')) throw new UsageError('--index', index, `no ${OPTION} index beside it`);
  return {...option, index};
}

/** The flags by option, for messages. */
export function flagsOfOptions({option = {}}: TypedOptions): Record<string, string> {
  const names = Object.keys(option).map((name) => [name, `${OPTION} ${name}`]);
  return {option: OPTION, index: '--index', ...Object.fromEntries(names)};
}

/** Whole numbers are numbers; the variant refuses what it does not take. */
function valueOf(text: string): OptionValue {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
