/** The type of a generated `.wgsl.ts` module. */
export interface KernelSource {
  readonly label: string;
  readonly code: string;
  readonly overrides: readonly string[];
  readonly bindings: Readonly<Record<string, BindingLayout>>;
  readonly entryPoints: Readonly<Record<string, readonly string[]>>;
  readonly structs: Readonly<Record<string, StructLayout>>;
}

export interface BindingLayout {
  readonly group: number;
  readonly binding: number;
  readonly type: 'uniform' | 'storage' | 'read-only-storage';
}

export interface StructLayout {
  readonly size: number;
  readonly fields: Readonly<Record<string, {readonly offset: number; readonly type: string}>>;
}

export type EntryPoint<S extends KernelSource> = Extract<keyof S['entryPoints'], string>;

/** Names of the buffers that entry point `E` reads or writes. A missing buffer does not compile. */
export type BindingName<S extends KernelSource, E extends EntryPoint<S>> = Extract<S['entryPoints'][E][number], string>;

export type Overrides<S extends KernelSource> = {readonly [name in S['overrides'][number]]?: number | boolean};

/** A buffer, or a part of one: offset and size in bytes, the offset aligned as the device requires (256 suffices). */
export type Bindable = GPUBuffer | BufferSlice;

export interface BufferSlice {
  readonly buffer: GPUBuffer;
  readonly offset?: number;
  readonly size?: number;
}

export type Bindings<S extends KernelSource, E extends EntryPoint<S>> = {
  readonly [name in BindingName<S, E>]: Bindable;
};

/** The kernels of a device: of each source its module, and the kernels by entry point and overrides. */
export type KernelCache = Map<KernelSource, {module?: GPUShaderModule; readonly byKey: Map<string, Promise<unknown>>}>;
