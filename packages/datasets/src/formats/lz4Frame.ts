const MAGIC = 0x184d2204;

/** Flags of the frame descriptor. */
const HAS_DICTIONARY = 1;
const HAS_CONTENT_SIZE = 8;
const HAS_BLOCK_CHECKSUMS = 16;
const VERSION = 0xc0;

/** Of the size of a block: its bytes are not compressed. */
const IS_STORED = 0x8000_0000;

/** A sequence copies at least so many bytes. */
const MATCH_MIN = 4;

/**
 * Decompresses one LZ4 frame. Blocks may refer to earlier ones. Checksums are not verified.
 *
 * @throws RangeError  if the bytes are no frame, end early, or refer to bytes before the content
 * @complexity         O(bytes of the content), at most 255 times those of the frame
 * @source             LZ4 Frame Format 1.6.3; LZ4 Block Format
 */
export function inflateLz4(frame: Uint8Array): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = frame[4];
  if (view.getUint32(0, true) !== MAGIC || (flags & VERSION) !== 0x40) throw new RangeError('no LZ4 frame');
  if ((flags & HAS_DICTIONARY) !== 0) throw new RangeError('an LZ4 frame with a dictionary');
  const content = new Content();
  // Behind the descriptor comes a byte of checksum.
  let at = (flags & HAS_CONTENT_SIZE) === 0 ? 7 : 15;
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return content.bytes();
    const end = at + (size % IS_STORED);
    if (end > frame.length) throw new RangeError('an LZ4 block that is cut');
    if (size >= IS_STORED) content.copy(frame, at, end);
    else inflateBlock(frame, at, end, content);
    at = (flags & HAS_BLOCK_CHECKSUMS) === 0 ? end : end + 4;
  }
}

function inflateBlock(block: Uint8Array, start: number, end: number, content: Content): void {
  let at = start;
  const lengthOf = (low: number): number => {
    let length = low;
    if (low < 15) return length;
    for (let byte = 255; byte === 255; length += byte) {
      if (at >= end) throw new RangeError('an LZ4 length that is cut');
      byte = block[at++];
    }
    return length;
  };
  while (at < end) {
    const token = block[at++];
    const literals = lengthOf(token >> 4);
    if (at + literals > end) throw new RangeError('LZ4 literals that are cut');
    content.copy(block, at, at + literals);
    at += literals;
    // The last sequence has literals only.
    if (at === end) return;
    if (at + 2 > end) throw new RangeError('an LZ4 offset that is cut');
    const offset = block[at] + 256 * block[at + 1];
    at += 2;
    content.repeat(offset, lengthOf(token & 15) + MATCH_MIN);
  }
}

/** Bytes that grow at their end. */
class Content {
  #bytes: Uint8Array = new Uint8Array(2 ** 16);
  #length = 0;

  copy(from: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(from.subarray(start, end), this.#length);
    this.#length += end - start;
  }

  /** Appends bytes from `offset` before the end on; they may overlap with what is appended. */
  repeat(offset: number, count: number): void {
    if (offset === 0 || offset > this.#length) throw new RangeError('an LZ4 offset before the content');
    this.#reserve(count);
    const [bytes, to] = [this.#bytes, this.#length];
    for (let k = 0; k < count; k++) bytes[to + k] = bytes[to + k - offset];
    this.#length += count;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
