import {DatasetFormatError, listed} from './errors.ts';

/** The groups of points: the name of point i is `names[of[i]]`, unless `of[i]` is −1 for a missing one. */
export interface PointGroups {
  /** In the order of the first points of the groups. */
  readonly names: readonly string[];
  readonly of: Int32Array;
}

/** Numbers names in the order in which they come. */
export class GroupNames {
  readonly names: string[] = [];
  readonly #indices = new Map<string, number>();

  indexOf(name: string): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    this.#indices.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** The name of a group: text without white space around it, a number or a boolean. Undefined for anything else. */
export function groupNameOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  const name = typeof value === 'string' ? value.trim() : '';
  return name === '' ? undefined : name;
}

/** The groups of points by a property of each. */
export function groupsOfProperty(
  path: string,
  properties: readonly (Readonly<Record<string, unknown>> | null)[],
  property: string,
  missing: 'error' | 'nan' = 'error',
): PointGroups {
  const groups = new GroupNames();
  const of = Int32Array.from(properties, (one, i) => {
    const name = groupNameOf(one?.[property]);
    if (name !== undefined) return groups.indexOf(name);
    if (missing === 'nan' && (one?.[property] ?? '') === '') return -1;
    const has = `has no text or number for ${property}`;
    const others = listed(Object.keys(one ?? {}));
    throw new DatasetFormatError(path, `point ${i} ${has}; expected a group among its properties ${others}`);
  });
  return {names: groups.names, of};
}
