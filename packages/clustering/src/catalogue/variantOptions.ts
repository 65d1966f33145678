import {InvalidParameterError} from '../errors.ts';
import {nearestName} from '../nearestName.ts';

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

/** An option of a variant on one backend. */
export interface VariantOption {
  readonly name: string;
  /** One line, without a full stop. */
  readonly description: string;
  readonly allowed:
    | {readonly kind: 'choice'; readonly values: readonly string[]}
    /** The value `auto` is allowed as well if it is the default. */
    | {readonly kind: 'integer'; readonly min: number; readonly max: number};
  readonly defaultValue: OptionValue;
  readonly rule?: OptionRule | undefined;
}

interface ChoiceDeclaration {
  readonly description: string;
  readonly rule?: OptionRule;
  readonly values: readonly string[];
  readonly defaultValue: string;
}

interface IntegerDeclaration {
  readonly description: string;
  readonly rule?: OptionRule;
  readonly min: number;
  readonly max: number;
  readonly defaultValue: number | 'auto';
}

export type OptionDeclarations = Readonly<Record<string, ChoiceDeclaration | IntegerDeclaration>>;

/** The values that `create` receives: one for each declared option, of its type. */
export type DeclaredValues<Declarations extends OptionDeclarations> = {
  readonly [Name in keyof Declarations]: Declarations[Name] extends {readonly values: readonly (infer Value)[]}
    ? Value
    : Declarations[Name] extends {readonly defaultValue: 'auto'}
      ? number | 'auto'
      : number;
};

export function describeOptions(declarations: OptionDeclarations): VariantOption[] {
  return Object.entries(declarations).map(([name, declared]) => {
    const {description, defaultValue, rule} = declared;
    const allowed =
      'values' in declared
        ? ({kind: 'choice', values: declared.values} as const)
        : ({kind: 'integer', min: declared.min, max: declared.max} as const);
    return {name, description, allowed, defaultValue, rule};
  });
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

export function givenNames(values: VariantOptionValues): string[] {
  return Object.keys(values).filter((name) => values[name] !== undefined);
}

/** The allowed values in words: `one of auto, grid, none`. */
export function describeAllowed({allowed, defaultValue, rule}: VariantOption): string {
  const values =
    allowed.kind === 'choice'
      ? `one of ${allowed.values.join(', ')}`
      : `an integer from ${allowed.min} to ${allowed.max}${defaultValue === 'auto' ? ', or auto' : ''}`;
  return rule === undefined ? values : `${values}; ${rule.words}`;
}

/** @throws InvalidParameterError  if a name with a value is not the name of an option */
export function checkNames(options: readonly VariantOption[], values: VariantOptionValues, variant: string): void {
  const names = options.map(({name}) => name);
  const unknown = givenNames(values).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, names);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  const expectation =
    names.length === 0 ? `no options for ${variant}` : `one of ${names.join(', ')} for ${variant}${hint}`;
  throw new InvalidParameterError('option', unknown, expectation);
}

function isAllowed({allowed, defaultValue}: VariantOption, value: OptionValue): boolean {
  if (allowed.kind === 'choice') return typeof value === 'string' && allowed.values.includes(value);
  if (value === 'auto') return defaultValue === 'auto';
  return Number.isInteger(value) && Number(value) >= allowed.min && Number(value) <= allowed.max;
}
