import type {OptionValue, VariantOptionValues} from '@epsball/dbscan';
import {UsageError} from '../errors.ts';

const OPTION = '--option';

/** The variant's own options, as typed. */
export interface TypedOptions {
  /** `--index`, which most variants have. */
  readonly index?: string;
  /** `--option name=value`, by name. */
  readonly option?: VariantOptionValues;
}

/**
 * A parser for commander: `--option name=value`, which may be repeated.
 *
 * @param before  the options so far
 */
export function collectOption(text: string, before: VariantOptionValues = {}): VariantOptionValues {
  const [, name, value] = /^([A-Za-z]\w*)=(.+)$/.exec(text) ?? [];
  if (name === undefined) throw new UsageError(OPTION, text, 'name=value, such as index=none');
  if (Object.hasOwn(before, name)) throw new UsageError(OPTION, text, 'each name once');
  return {...before, [name]: valueOf(value)};
}

/**
 * The options by name, for `createDbscan`.
 *
 * @throws UsageError  if the index is given twice
 */
export function chosenOptions({index, option = {}}: TypedOptions): VariantOptionValues {
  if (index === undefined) return option;
  if (Object.hasOwn(option, 'index')) throw new UsageError('--index', index, `no ${OPTION} index beside it`);
  return {...option, index};
}

/** The flags by option, for messages. */
export function flagsOfOptions({option = {}}: TypedOptions): Record<string, string> {
  const names = Object.keys(option).map((name) => [name, `${OPTION} ${name}`]);
  return {option: OPTION, index: '--index', ...Object.fromEntries(names)};
}

/** An integer becomes a number, anything else stays text. The variant checks the value. */
function valueOf(text: string): OptionValue {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
