import type {Gpu} from '@epsball/gpu';

/** 32-bit elements on the host; 64-bit ones are two words, the low one first. */
type Words = Uint32Array | Int32Array | Float32Array;
type Arrays = Readonly<Record<string, Words>>;

/** What our classes have in common. */
interface Primitive {
  /** Sizes the scratch, where an operation has any. */
  reserve?(count: number): void;
  destroy(): void;
}

/** One operation as its entry in the registry describes it. Inputs are the same on every machine. */
interface Spec<P extends Primitive, Input extends Arrays, Output extends Arrays, Scratch extends string> {
  readonly input: (count: number) => Input;
  /** Arrays that receive the result from the device; their sizes are those of the buffers. */
  readonly output: (count: number) => Output;
  /** Further buffers that an encode needs, a word an element. They are not read back. */
  readonly scratch?: readonly Scratch[];
  readonly create: (gpu: Gpu) => Promise<P>;
  /**
   * Records one call.
   *
   * @param buffers  by name of an input, an output or a scratch buffer, as our class names them, and the count
   * @returns        buffers of the outputs that are not in the buffers of their own names, or nothing
   */
  readonly encode: (
    primitive: P,
    pass: GPUComputePassEncoder,
    buffers: Buffers<keyof Input | keyof Output | Scratch>,
  ) => Partial<Readonly<Record<keyof Output, GPUBuffer>>> | void;
  /** Inputs that an encode overwrites. They are restored before each encode, and encodes are timed one by one. */
  readonly overwrites?: readonly (keyof Input & string)[];
  /** Our call from typed array to typed array, where there is one. */
  readonly run?: (primitive: P, input: Input) => Promise<Output>;
  /** The plain JavaScript. Results are compared with its output, except where `prove` is present. */
  readonly javascript: (input: Input) => Output;
  /** Proves an output right. @throws Error  that says where it is wrong */
  readonly prove?: (output: Output) => void;
}

/** Buffers of a call by name, and its count of elements. */
export type Buffers<Name extends PropertyKey> = Readonly<Record<Name, GPUBuffer>> & {readonly count: number};

/** An operation on a device, at one count. */
export interface DeviceCase {
  readonly input: Arrays;
  readonly output: Arrays;
  readonly scratch: readonly string[];
  readonly overwrites: readonly string[];
  readonly count: number;
  encode(pass: GPUComputePassEncoder, buffers: Iterable<[string, GPUBuffer]>): Partial<Record<string, GPUBuffer>>;
  /** Checks `output`. @throws Error  that says where it is wrong */
  readonly verify: () => void;
  /** A call from typed array to typed array, which checks its result; null where there is no such call. */
  readonly run: (() => Promise<void>) | null;
  destroy(): void;
}

/** One operation, whatever its types. */
export interface Operation {
  /** How results are checked, in words. */
  readonly verified: string;
  /** One run of the plain JavaScript, and the check of its result if there is one beside itself. */
  readonly onHost: (count: number) => {readonly run: () => void; readonly verify: () => void};
  /** Compiles. */
  readonly onDevice: (gpu: Gpu, count: number) => Promise<DeviceCase>;
}

/** An entry of the registry. */
export function defineOperation<
  P extends Primitive,
  Input extends Arrays,
  Output extends Arrays,
  Scratch extends string = never,
>(spec: Spec<P, Input, Output, Scratch>): Operation {
  const {prove, javascript, run, scratch = [], overwrites = []} = spec;
  return {
    verified:
      prove === undefined ? 'every word equal to JavaScript’s' : 'proved right: in order, none lost, none twice',
    onHost(count) {
      const input = spec.input(count);
      let output: Output | undefined;
      return {
        run: () => void (output = javascript(input)),
        verify: () => {
          if (output !== undefined) prove?.(output);
        },
      };
    },
    async onDevice(gpu, count) {
      const primitive = await spec.create(gpu);
      const [input, output] = [spec.input(count), spec.output(count)];
      let expected: Output | undefined;
      const check = (result: Output): void => {
        if (prove !== undefined) return prove(result);
        expected ??= javascript(input);
        expectSame(expected, result);
      };
      return {
        input,
        output,
        scratch,
        overwrites,
        count,
        encode(pass, buffers) {
          primitive.reserve?.(count);
          const named: Iterable<readonly unknown[]> = [...buffers, ['count', count]];
          return spec.encode(primitive, pass, Object.fromEntries(named)) ?? {};
        },
        verify: () => check(output),
        run: run === undefined ? null : async () => check(await run(primitive, input)),
        destroy: () => primitive.destroy(),
      };
    },
  };
}

/**
 * Floats are compared by their bits.
 *
 * @param expected  arrays by name; an output may be longer, and its further words are ignored
 * @throws Error    that names the first word that differs
 */
export function expectSame(expected: Arrays, output: Arrays): void {
  for (const [name, wanted] of Object.entries(expected)) {
    const [bits, wantedBits] = [bitsOf(output[name]), bitsOf(wanted)];
    const wrong = wantedBits.findIndex((word, i) => word !== bits[i]);
    if (wrong >= 0)
      throw new Error(`${name}[${wrong}] = ${show(output[name][wrong])}; expected ${show(wanted[wrong])}`);
  }
}

function show(value: number | undefined): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The same memory, as words without a sign. */
export function bitsOf({buffer, byteOffset, length}: Words): Uint32Array {
  return new Uint32Array(buffer, byteOffset, length);
}
