import {
  ArrayInfo,
  ResourceType,
  StructInfo,
  WgslReflect,
  type TypeInfo,
  type VariableInfo,
} from 'wgsl_reflect/wgsl_reflect.module.js';
import {CodegenError, type Place} from './codegenError.ts';
import {staticUse} from './staticUse.ts';

export interface Binding {
  readonly name: string;
  readonly group: number;
  readonly binding: number;
  readonly type: 'uniform' | 'storage' | 'read-only-storage';
}

/** Layout of a struct in a binding; offsets and size in bytes. */
export interface StructLayout {
  readonly name: string;
  readonly size: number;
  readonly fields: readonly {readonly name: string; readonly offset: number; readonly type: string}[];
}

export interface Reflection {
  readonly overrides: readonly string[];
  readonly bindings: readonly Binding[];
  readonly entryPoints: readonly {readonly name: string; readonly bindings: readonly string[]}[];
  readonly structs: readonly StructLayout[];
}

/**
 * Reads bindings, overrides that an entry point uses, entry points and struct layouts from linked WGSL.
 *
 * @param placeOf  the declaration of a bound variable
 * @throws CodegenError  for two variables at one binding: at the second one
 * @throws Error  for a resource that is not a buffer, or an override with `@id` (pipelines set overrides by name)
 */
export function reflectKernel(code: string, placeOf: (variable: string) => Place): Reflection {
  const reflected = new WgslReflect(code);
  refuseClashes(reflected, placeOf);
  const variables = reflected.getBindGroups().flatMap((group) => group.filter((variable) => variable !== undefined));
  const bindings = variables.map(toBinding);
  for (const override of reflected.overrides) {
    if (override.attributes?.some((attribute) => attribute.name === 'id') === true) {
      throw new Error(`override ${override.name} has @id; overrides are set by name`);
    }
  }
  const used = staticUse(code);
  const isUsed = (name: string): boolean => [...used.values()].some((names) => names.has(name));
  return {
    overrides: reflected.overrides.map((override) => override.name).filter(isUsed),
    bindings,
    entryPoints: [...used].map(([name, names]) => ({
      name,
      bindings: bindings.map((binding) => binding.name).filter((binding) => names.has(binding)),
    })),
    structs: structsOf(variables),
  };
}

/** Runs before `getBindGroups`, which keeps only one variable per binding. */
function refuseClashes(
  {uniforms, storage, textures, samplers}: WgslReflect,
  placeOf: (variable: string) => Place,
): void {
  const seen = new Map<string, string>();
  for (const {name, group, binding} of [...uniforms, ...storage, ...textures, ...samplers]) {
    const at = `@group(${group}) @binding(${binding})`;
    const other = seen.get(at) ?? name;
    if (other !== name) {
      const [first, second] = [placeOf(other), placeOf(name)];
      const what = `bindings ${other} and ${name} share ${at}; each needs a number of its own`;
      throw new CodegenError(second.file, second.line, `${what} (${first.file}:${first.line})`);
    }
    seen.set(at, name);
  }
}

function toBinding({name, group, binding, resourceType, access}: VariableInfo): Binding {
  if (resourceType === ResourceType.Uniform) return {name, group, binding, type: 'uniform'};
  if (resourceType !== ResourceType.Storage) throw new Error(`binding ${name} is not a buffer`);
  return {name, group, binding, type: access === 'read_write' ? 'storage' : 'read-only-storage'};
}

/** Structs in bindings: directly, in arrays or nested. */
function structsOf(variables: readonly VariableInfo[]): StructLayout[] {
  const found = new Map<string, StructLayout>();
  const visit = (type: TypeInfo): void => {
    if (type instanceof ArrayInfo) visit(type.format);
    if (!(type instanceof StructInfo) || found.has(type.name)) return;
    // A runtime-sized array has 0 elements.
    const nameOf = (of: TypeInfo): string => of.getTypeName().replace(', 0>', '>');
    const fields = type.members.map(({name, offset, type: of}) => ({name, offset, type: nameOf(of)}));
    found.set(type.name, {name: type.name, size: type.size, fields});
    for (const member of type.members) visit(member.type);
  };
  for (const variable of variables) visit(variable.type);
  return [...found.values()];
}
