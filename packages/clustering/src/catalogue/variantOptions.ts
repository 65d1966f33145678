import {InvalidParameterError} from '../errors.ts';
import {describeNames} from '../nearestName.ts';

export type OptionValue = string | number;

/** Options of a variant by name. Those left out, or undefined, have their defaults. */
export type VariantOptionValues = Readonly<Record<string, OptionValue | undefined>>;

/** A condition that an option keeps together with others. */
export interface OptionRule {
  /** In messages and lists, after the values: `fanout ^ levels ≤ 1048576`. */
  readonly words: string;
  /** @param values  of all options, defaults filled in, each allowed by itself */
  readonly holds: (values: Readonly<Record<string, OptionValue>>) => boolean;
}

interface Declaration {
  /** One line, without a full stop. */
  readonly description: string;
  readonly rule?: OptionRule;
}

interface ChoiceDeclaration extends Declaration {
  readonly values: readonly string[];
  readonly defaultValue: string;
}

/** The value `auto` is allowed as well if it is the default. */
interface IntegerDeclaration extends Declaration {
  readonly min: number;
  readonly max: number;
  readonly defaultValue: number | 'auto';
}

/** An option of a variant on one backend. */
export type VariantOption = (ChoiceDeclaration | IntegerDeclaration) & {readonly name: string};

export type OptionDeclarations = Readonly<Record<string, ChoiceDeclaration | IntegerDeclaration>>;

/** The values that `create` receives: one for each declared option, of its type; an `auto` integer is undefined. */
export type DeclaredValues<Declarations extends OptionDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends {readonly values: readonly (infer Value)[]}
    ? Value
    : Declarations[Name] extends {readonly defaultValue: 'auto'}
      ? number | undefined
      : number;
};

export function describeOptions(declarations: OptionDeclarations): VariantOption[] {
  return Object.entries(declarations).map(([name, declared]) => ({name, ...declared}));
}

/**
 * Checks options and fills in defaults: a value for every option. `variant` is `pds on workers`, for messages.
 *
 * @throws InvalidParameterError  if an option is unknown (lists the known ones), its value is not allowed, or its rule
 * does not hold
 */
export function resolveOptions(
  options: readonly VariantOption[],
  values: VariantOptionValues,
  variant: string,
): Readonly<Record<string, OptionValue>> {
  checkNames(options, values, variant);
  const resolved = Object.fromEntries(options.map(({name, defaultValue}) => [name, values[name] ?? defaultValue]));
  const refused =
    options.find((option) => !isAllowed(option, resolved[option.name])) ??
    options.find(({rule}) => rule !== undefined && !rule.holds(resolved));
  if (refused === undefined) return resolved;
  throw new InvalidParameterError(refused.name, resolved[refused.name], describeAllowed(refused));
}

/** Values as `create` receives them: `auto` of an integer is undefined. */
export function passedValues(
  options: readonly VariantOption[],
  values: Readonly<Record<string, OptionValue>>,
): Readonly<Record<string, OptionValue | undefined>> {
  const isAuto = (option: VariantOption): boolean => 'min' in option && values[option.name] === 'auto';
  return {...values, ...Object.fromEntries(options.filter(isAuto).map(({name}) => [name, undefined]))};
}

export function givenNames(values: VariantOptionValues): string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined);
}

/** The allowed values in words: `one of auto, grid, none`. */
export function describeAllowed(option: VariantOption): string {
  const values =
    'values' in option
      ? `one of ${option.values.join(', ')}`
      : `an integer from ${option.min} to ${option.max}${option.defaultValue === 'auto' ? ', or auto' : ''}`;
  return option.rule === undefined ? values : `${values}; ${option.rule.words}`;
}

/** @throws InvalidParameterError  if a name with a value is not the name of an option */
export function checkNames(options: readonly VariantOption[], values: VariantOptionValues, variant: string): void {
  const names = options.map(({name}) => name);
  const unknown = givenNames(values).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const expectation =
    names.length === 0 ? `no options for ${variant}` : describeNames(unknown, names, ` for ${variant}`);
  throw new InvalidParameterError('option', unknown, expectation);
}

function isAllowed(option: VariantOption, value: OptionValue): boolean {
  if ('values' in option) return typeof value === 'string' && option.values.includes(value);
  if (value === 'auto') return option.defaultValue === 'auto';
  return Number.isInteger(value) && Number(value) >= option.min && Number(value) <= option.max;
}
