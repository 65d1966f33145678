import {crc32} from 'node:zlib';

/** Bytes of a file that share a checksum: a part of a file is verified without the rest. */
const BLOCK_BYTES = 2 ** 15;

export interface FileSeal {
  readonly bytes: number;
  /** CRC-32 of each block, uint32 in base64. */
  readonly checksums: string;
}

export function sealFile(parts: readonly Uint8Array[]): FileSeal {
  const bytes = parts.reduce((sum, {length}) => sum + length, 0);
  const checksums = Buffer.alloc(4 * Math.ceil(bytes / BLOCK_BYTES));
  let at = 0;
  for (const part of parts) {
    for (let start = 0; start < part.length;) {
      const block = Math.floor(at / BLOCK_BYTES);
      const end = Math.min(part.length, start + (block + 1) * BLOCK_BYTES - at);
      checksums.writeUInt32LE(crc32(part.subarray(start, end), checksums.readUInt32LE(4 * block)), 4 * block);
      at += end - start;
      start = end;
    }
  }
  return {bytes, checksums: checksums.toString('base64')};
}

/** The blocks that hold the bytes [start, end) of a file: their bytes [from, to). */
export function blocksOf({bytes}: FileSeal, start: number, end: number): {from: number; to: number} {
  const to = Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES;
  return {from: Math.floor(start / BLOCK_BYTES) * BLOCK_BYTES, to: Math.min(bytes, to)};
}

/** Whether the blocks from byte `from` on are those that were written. */
export function isIntact({checksums}: FileSeal, from: number, blocks: Uint8Array): boolean {
  const all = Buffer.from(checksums, 'base64');
  let block = from / BLOCK_BYTES;
  for (let start = 0; start < blocks.length; start += BLOCK_BYTES, block++) {
    if (crc32(blocks.subarray(start, start + BLOCK_BYTES)) !== all.readUInt32LE(4 * block)) return false;
  }
  return true;
}

/** Encodes a JSON file with its format and a checksum. JSON has no infinity, and no file has one. */
export function encodeSealed(format: number, content: unknown): Uint8Array {
  const text = JSON.stringify(content);
  return Buffer.from(`{"format":${format},"checksum":"${checksumOf(text)}","content":${text}}`);
}

/** What a sealed JSON file holds, the format of another version, or what is wrong: `damage` reads after its path. */
export type Unsealed = {readonly content: unknown} | {readonly otherFormat: number} | {readonly damage: string};

export function decodeSealed(format: number, bytes: Uint8Array): Unsealed {
  const text = Buffer.from(bytes).toString();
  if (text === '') return {damage: 'is empty'};
  const [, found, checksum, content] = /^\{"format":(\d+)(?:,"checksum":"(\w+)","content":(.*)\}$)?/s.exec(text) ?? [];
  if (found !== undefined && Number(found) !== format) return {otherFormat: Number(found)};
  if (content === undefined) return {damage: text.endsWith('}') ? 'is damaged' : 'is cut off'};
  if (checksumOf(content) !== checksum) return {damage: 'is damaged (its checksum differs)'};
  return {content: JSON.parse(content)};
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
