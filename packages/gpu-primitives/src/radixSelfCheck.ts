import {ParamRing, ReadBack, Scratch, type Gpu} from '@epsball/gpu';
import {writeCounted} from './count.ts';
import {radixDigitsStructs} from './radixDigits.wgsl.ts';
import {takeScratch, type RadixPasses} from './radixShape.ts';

/** Keys after the last whole tile. */
const REST = 77;

/** Compares one pass over two tiles and part of a third, with keys that are hard to rank, with a sort on the host. */
export async function sortsCorrectly(gpu: Gpu, passes: RadixPasses, keyWords: number): Promise<boolean> {
  const count = 2 * passes.layoutOf(1).tileLength + REST;
  const digits = 2 ** passes.digitBits;
  const keys = hardKeys(count, digits);
  const columns = new Uint32Array(count * keyWords);
  keys.forEach((key, i) => (columns[i * keyWords] = key));
  const scratch = new Scratch(gpu, 'gpu-primitives/radixSelfCheck');
  const params = new ParamRing(gpu, 'gpu-primitives/radixSelfCheck.params', 1);
  const readBack = new ReadBack(gpu, 'gpu-primitives/radixSelfCheck');
  try {
    // Two tiles per chunk, so that counts of tiles and of chunks both matter.
    const layout = passes.layoutOf(count, 2);
    const input = scratch.take('keys', columns.byteLength);
    const sortedKeys = scratch.take('sortedKeys', columns.byteLength);
    const digit = {...layout, word: 0, shift: 0, digitMask: digits - 1};
    const buffers = {
      keys: input,
      keyQuads: input,
      values: scratch.take('values', 4 * count),
      sortedKeys,
      sortedValues: scratch.take('sortedValues', 4 * count),
      ...takeScratch(scratch, passes, count),
      ...writeCounted(params, radixDigitsStructs.RadixParams, count, digit),
    };
    gpu.device.queue.writeBuffer(input, 0, columns);
    const encoder = gpu.device.createCommandEncoder({label: 'gpu-primitives/radixSelfCheck'});
    const pass = encoder.beginComputePass();
    passes.record(pass, buffers, layout, true);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    await readBack.read(sortedKeys, columns);
  } finally {
    for (const owned of [scratch, params, readBack]) owned.destroy();
  }
  const order = keys.toSorted((a, b) => (a % digits) - (b % digits) || a - b);
  return order.every((key, k) => columns[k * keyWords] === key);
}

/** Keys that ascend except for the digit in their low bits: all digits mixed, rows of two digits, one digit only. */
function hardKeys(count: number, digits: number): Uint32Array {
  const tile = (count - REST) / 2;
  return Uint32Array.from({length: count}, (_, i) => {
    let digit = digits - 1;
    if (i < tile) digit = (Math.imul(i, 0x9e37_79b1) >>> 20) % digits;
    else if (i < 2 * tile && i % 3 !== 0) digit = (i >>> 5) % digits;
    return i * digits + digit;
  });
}
