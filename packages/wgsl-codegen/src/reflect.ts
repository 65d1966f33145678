import {
  ArrayInfo,
  ResourceType,
  StructInfo,
  TemplateInfo,
  WgslReflect,
  type TypeInfo,
  type VariableInfo,
} from 'wgsl_reflect/wgsl_reflect.module.js';
import {CodegenError, type Place} from './codegenError.ts';
import {staticUse} from './staticUse.ts';

type BindingType = 'uniform' | 'storage' | 'read-only-storage';

export interface Binding {
  readonly name: string;
  readonly group: number;
  readonly binding: number;
  readonly type: BindingType;
  /** name of the struct, if the variable's type is one */
  readonly struct: string | undefined;
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

function toBinding(variable: VariableInfo): Binding {
  const {name, group, binding} = variable;
  return {
    name,
    group,
    binding,
    type: bindingType(variable),
    struct: variable.isStruct ? variable.type.name : undefined,
  };
}

function bindingType({name, resourceType, access}: VariableInfo): BindingType {
  if (resourceType === ResourceType.Uniform) return 'uniform';
  if (resourceType !== ResourceType.Storage) throw new Error(`binding ${name} is not a buffer`);
  return access === 'read_write' ? 'storage' : 'read-only-storage';
}

/** Structs in bindings: directly, in arrays or nested. */
function structsOf(variables: readonly VariableInfo[]): StructLayout[] {
  const found = new Map<string, StructLayout>();
  const visit = (type: TypeInfo): void => {
    if (type instanceof ArrayInfo) visit(type.format);
    if (!(type instanceof StructInfo) || found.has(type.name)) return;
    const fields = type.members.map((member) => ({
      name: member.name,
      offset: member.offset,
      type: typeName(member.type),
    }));
    found.set(type.name, {name: type.name, size: type.size, fields});
    for (const member of type.members) visit(member.type);
  };
  for (const variable of variables) visit(variable.type);
  return [...found.values()];
}

const SHORT_SUFFIX: Readonly<Record<string, string>> = {f32: 'f', i32: 'i', u32: 'u', f16: 'h'};

/** WGSL spelling of a type, with vectors and matrices in the short form (`vec4f`). */
function typeName(type: TypeInfo): string {
  if (type instanceof ArrayInfo) {
    const element = typeName(type.format);
    return type.count === 0 ? `array<${element}>` : `array<${element}, ${type.count}>`;
  }
  if (type instanceof TemplateInfo && type.format !== null) {
    const suffix = SHORT_SUFFIX[type.format.name];
    const isShort = suffix !== undefined && /^(vec|mat)/.test(type.name);
    return isShort ? `${type.name}${suffix}` : `${type.name}<${typeName(type.format)}>`;
  }
  return type.name;
}
