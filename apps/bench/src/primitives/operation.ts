import type {Gpu} from '@epsball/gpu';
import {differingWord} from './check.ts';
import type {Arrays} from './words.ts';

/** What our classes have in common. */
export interface Primitive {
  /** Sizes the scratch, where an operation has any. */
  reserve?(count: number): void;
  destroy(): void;
}

/** One operation as its entry in the registry describes it. Inputs are the same on every machine. */
export interface OperationSpec<P extends Primitive, Input extends Arrays, Output extends Arrays> {
  readonly input: (count: number) => Input;
  /** Arrays that receive the result from the device; their sizes are those of the buffers. */
  readonly output: (count: number) => Output;
  /** Words of further buffers that an encode needs. They are not read back. */
  readonly scratch?: (count: number) => Readonly<Record<string, number>>;
  readonly create: (gpu: Gpu) => Promise<P>;
  /**
   * Records one call.
   *
   * @param buffer  by name of an input, an output or a scratch buffer
   * @returns       buffers of the outputs that are not in the buffers of their own names, or nothing
   */
  readonly encode: (
    primitive: P,
    pass: GPUComputePassEncoder,
    buffer: (name: string) => GPUBuffer,
    count: number,
  ) => Partial<Readonly<Record<keyof Output, GPUBuffer>>> | void;
  /** Inputs that an encode overwrites. They are restored before each encode, and encodes are timed one by one. */
  readonly overwrites?: readonly (keyof Input & string)[];
  /** Our call from typed array to typed array, where there is one. */
  readonly run?: (primitive: P, input: Input) => Promise<Output>;
  /** The plain JavaScript. Results are compared with its output, except where `check` is present. */
  readonly javascript: (input: Input) => Output;
  readonly check?: {
    /** What it proves, in words. */
    readonly proves: string;
    /** @throws Error  that says where the output is wrong */
    readonly prove: (input: Input, output: Output) => void;
  };
}

/** Checks an output. @throws Error  that says where it is wrong */
type Verify = () => void;

/** An operation at one count, on the host alone. */
interface HostCase {
  readonly run: () => void;
  /** Of the last run, where there is something to check it by. */
  readonly verify: Verify;
}

/** An operation at one count on a device. */
export interface DeviceCase {
  readonly input: Arrays;
  readonly output: Arrays;
  readonly scratchWords: Readonly<Record<string, number>>;
  readonly overwrites: readonly string[];
  encode(
    pass: GPUComputePassEncoder,
    buffer: (name: string) => GPUBuffer,
  ): Readonly<Partial<Record<string, GPUBuffer>>>;
  /** Of `output`. */
  readonly verify: Verify;
  /** A call from typed array to typed array that gives the check of its result; null where there is no such call. */
  readonly run: (() => Promise<Verify>) | null;
}

export interface DeviceOperation {
  prepare(count: number): DeviceCase;
  destroy(): void;
}

/** One operation, whatever its types. */
export interface Operation {
  /** How results are checked, in words. */
  readonly verified: string;
  /** Results are compared with JavaScript's, which are then not checked themselves. */
  readonly isReference: boolean;
  readonly onHost: (count: number) => HostCase;
  /** Compiles. */
  readonly onDevice: (gpu: Gpu) => Promise<DeviceOperation>;
}

/** An entry of the registry. */
export function defineOperation<P extends Primitive, Input extends Arrays, Output extends Arrays>(
  spec: OperationSpec<P, Input, Output>,
): Operation {
  return {
    verified: spec.check?.proves ?? 'every word equal to JavaScript’s',
    isReference: spec.check === undefined,
    onHost(count) {
      const input = spec.input(count);
      let output: Output | undefined;
      return {
        run: () => void (output = spec.javascript(input)),
        verify: () => {
          if (output !== undefined) spec.check?.prove(input, output);
        },
      };
    },
    async onDevice(gpu) {
      const primitive = await spec.create(gpu);
      return {prepare: (count) => prepareCase(spec, primitive, count), destroy: () => primitive.destroy()};
    },
  };
}

function prepareCase<P extends Primitive, Input extends Arrays, Output extends Arrays>(
  spec: OperationSpec<P, Input, Output>,
  primitive: P,
  count: number,
): DeviceCase {
  const input = spec.input(count);
  const output = spec.output(count);
  const verify = verifierOf(spec, input);
  const {run} = spec;
  return {
    input,
    output,
    scratchWords: spec.scratch?.(count) ?? {},
    overwrites: spec.overwrites ?? [],
    encode(pass, buffer) {
      primitive.reserve?.(count);
      return spec.encode(primitive, pass, buffer, count) ?? {};
    },
    verify: () => verify(output),
    run:
      run === undefined
        ? null
        : async () => {
            const result = await run(primitive, input);
            return () => verify(result);
          },
  };
}

/** The expected output is computed once, when it is first wanted. */
function verifierOf<P extends Primitive, Input extends Arrays, Output extends Arrays>(
  {check, javascript}: OperationSpec<P, Input, Output>,
  input: Input,
): (output: Output) => void {
  if (check !== undefined) return (output) => check.prove(input, output);
  let expected: Output | undefined;
  return (output) => {
    expected ??= javascript(input);
    const difference = differingWord(expected, output);
    if (difference !== null) throw new Error(difference);
  };
}
