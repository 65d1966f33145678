import {expect, it} from 'vitest';
import {GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import type {Bindable} from '@epsball/gpu';
import type {Count, EncodeTarget} from '@epsball/gpu-primitives';
import {expectWords} from './reference.ts';
import type {Session} from './session.ts';

/** The common interface of all operations: input words, output words, a count. */
export interface Operation {
  /** Names of its buffers in error messages. */
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Inputs of `count` elements, different for each seed. */
  readonly inputs: (count: number, seed: number) => readonly Uint32Array[];
  /** Number of words that each output needs for `count` elements. */
  readonly outputWords: (count: number) => readonly number[];
  readonly encode: (
    target: EncodeTarget,
    inputs: readonly Bindable[],
    outputs: readonly Bindable[],
    count: Count,
  ) => void;
  /** Expected start of each output for the first `count` elements; the words after it must not change. */
  readonly expected: (inputs: readonly Uint32Array[], count: number) => readonly Uint32Array[];
}

const COUNT = 5000;
const UNTOUCHED = 0xdead_beef;
/** Begin of the tested buffer parts: aligned on every device. */
const OFFSET_WORDS = 64;

/** `values` at `begin`, surrounded by other words. */
function among(values: Uint32Array, begin: number, total: number): Uint32Array {
  const whole = new Uint32Array(total).fill(UNTOUCHED);
  whole.set(values, begin);
  return whole;
}

interface Buffers {
  readonly inputs: GPUBuffer[];
  readonly outputs: GPUBuffer[];
}

/** Session and operation of the running test. */
interface Frame {
  readonly session: Session;
  readonly operation: Operation;
}

/** The tests that every operation passes. */
export function itKeepsTheContract(session: Session, operation: Operation): void {
  const frame = {session, operation};
  itTakesItsCountFromTheDevice(frame);
  itWorksOnParts(frame);
  itIsRecordedTwice(frame);
  itNamesWhatIsWrong(frame);
}

async function make(
  {session}: Frame,
  inputs: readonly Uint32Array[],
  outputWords: readonly number[],
): Promise<Buffers> {
  const made: Buffers = {inputs: [], outputs: []};
  for (const input of inputs) made.inputs.push(await session.buffer(input));
  for (const total of outputWords) made.outputs.push(await session.buffer(among(new Uint32Array(0), 0, total)));
  return made;
}

async function expectOutputs(
  {session, operation}: Frame,
  outputs: GPUBuffer[],
  expected: readonly Uint32Array[],
  outputWords: readonly number[],
  what: string,
): Promise<void> {
  for (let k = 0; k < outputs.length; k++) {
    const actual = await session.read(outputs[k], new Uint32Array(outputWords[k]));
    expectWords(actual, among(expected[k], 0, outputWords[k]), `${what}, ${operation.outputNames[k]}`);
  }
}

function itTakesItsCountFromTheDevice(frame: Frame): void {
  const {session, operation} = frame;
  it('takes a count from the device: fewer, none, all, and no more than atMost', async () => {
    const {inputs, outputWords, encode, expected} = operation;
    const host = inputs(COUNT, 1);
    const sizes = outputWords(COUNT);
    // Offsets of the count: at the start, after the first 256 bytes, at the end.
    for (const [written, place] of [
      [1, 0],
      [0, 3],
      [257, 64],
      [COUNT - 1, 70],
      [COUNT, 99],
      [COUNT + 1, 1],
      [2 ** 32 - 1, 65],
    ]) {
      const {inputs: from, outputs: to} = await make(frame, host, sizes);
      const counts = new Uint32Array(100).fill(7);
      counts[place] = written;
      const count = {buffer: await session.buffer(counts), offset: 4 * place, atMost: COUNT};
      await session.run((pass) => encode(pass, from, to, count));
      await expectOutputs(frame, to, expected(host, Math.min(written, COUNT)), sizes, `count ${written}`);
    }
    session.clear();
  });
}

function itWorksOnParts(frame: Frame): void {
  const {session, operation} = frame;
  it('works on parts of buffers and does not change the rest', async () => {
    const {inputs, outputNames, outputWords, encode, expected} = operation;
    const host = inputs(COUNT, 2);
    const sizes = outputWords(COUNT);
    const wholeWords = (size: number): number => OFFSET_WORDS + size + 100;
    const part = (buffer: GPUBuffer, size: number): Bindable => ({buffer, offset: 4 * OFFSET_WORDS, size: 4 * size});
    const {inputs: from, outputs: to} = await make(
      frame,
      host.map((input) => among(input, OFFSET_WORDS, wholeWords(input.length))),
      sizes.map(wholeWords),
    );
    await session.run((pass) =>
      encode(
        pass,
        from.map((buffer, k) => part(buffer, host[k].length)),
        to.map((buffer, k) => part(buffer, sizes[k])),
        COUNT,
      ),
    );
    const results = expected(host, COUNT);
    for (let k = 0; k < to.length; k++) {
      const actual = await session.read(to[k], new Uint32Array(wholeWords(sizes[k])));
      expectWords(actual, among(results[k], OFFSET_WORDS, wholeWords(sizes[k])), outputNames[k]);
    }
    session.clear();
  });
}

function itIsRecordedTwice(frame: Frame): void {
  const {session, operation} = frame;
  it('can be recorded twice in one pass, and in an encoder, without creating buffers', async () => {
    const {inputs, outputWords, encode, expected} = operation;
    const counts = [COUNT, 300, 3];
    const hosts = counts.map((count, k) => inputs(count, 3 + k));
    const made: Buffers[] = [];
    const makeAll = async (): Promise<void> => {
      for (let k = 0; k < counts.length; k++) made[k] = await make(frame, hosts[k], outputWords(counts[k]));
    };
    const record = (target: EncodeTarget, k: number): void =>
      encode(target, made[k].inputs, made[k].outputs, counts[k]);
    // Records them once before, so that their parameters have slots: a full block of slots is followed by a new buffer.
    await makeAll();
    await session.run((pass) => counts.forEach((_, k) => record(pass, k)));
    await makeAll();
    const before = session.gpu.allocatedBytes;
    await session.run((pass) => {
      record(pass, 0);
      record(pass, 1);
    });
    await session.runEncoder((encoder) => record(encoder, 2));
    expect(session.gpu.allocatedBytes).toBe(before);
    for (let k = 0; k < counts.length; k++) {
      await expectOutputs(frame, made[k].outputs, expected(hosts[k], counts[k]), outputWords(counts[k]), `run ${k}`);
    }
    session.clear();
  });
}

function itNamesWhatIsWrong(frame: Frame): void {
  const {session, operation} = frame;
  it('names the invalid count, buffer or offset', async () => {
    const {inputs, inputNames, outputNames, outputWords, encode} = operation;
    const {inputs: from, outputs: to} = await make(frame, inputs(300, 9), outputWords(300));
    const encoder = session.gpu.device.createCommandEncoder();
    const attempt = (inputList: readonly Bindable[], outputList: readonly Bindable[], count: Count) => () =>
      encode(encoder, inputList, outputList, count);
    for (const count of [-1, 1.5, Number.NaN, 2 ** 32]) {
      expect(attempt(from, to, count)).toThrow(InvalidParameterError);
      expect(attempt(from, to, count)).toThrow(`count = ${count}; expected an integer, 0 … 2^32 − 1`);
      expect(attempt(from, to, {buffer: from[0], atMost: count})).toThrow(`count.atMost = ${count};`);
    }
    for (const offset of [2, -4, 1.5, 2 ** 20]) {
      const at = {buffer: from[0], offset, atMost: 1};
      expect(attempt(from, to, at)).toThrow(`count.offset = ${offset}; expected a multiple of 4, 0 … `);
    }
    const {maxStorageBufferBindingSize} = session.gpu.device.limits;
    expect(attempt(from, to, Math.floor(maxStorageBufferBindingSize / 4) + 1)).toThrow(GpuLimitError);
    const all = [
      ...inputNames.map((name, k) => [name, from, k] as const),
      ...outputNames.map((name, k) => [name, to, k] as const),
    ];
    for (const [name, list, k] of all) {
      const swap = (bindable: Bindable): (() => void) => {
        const changed = (same: GPUBuffer[]): Bindable[] =>
          same.map((buffer, j) => (same === list && j === k ? bindable : buffer));
        return attempt(changed(from), changed(to), 300);
      };
      const size = list === to ? 4 * outputWords(300)[k] : 4 * inputs(300, 9)[k].length;
      expect(swap({buffer: list[k], size: size - 4})).toThrow(InvalidParameterError);
      expect(swap({buffer: list[k], size: size - 4})).toThrow(
        `bytes of ${name} = ${size - 4}; expected at least ${size}`,
      );
      expect(swap({buffer: list[k], offset: 2})).toThrow(`offset of ${name} = 2; expected a multiple of `);
    }
    session.clear();
  });
}
