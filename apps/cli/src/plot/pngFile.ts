import {crc32, deflateSync} from 'node:zlib';

/** An indexed picture: one palette index per pixel. */
export interface IndexedImage {
  readonly width: number;
  readonly height: number;
  /** width · height indices, row by row from the top. */
  readonly pixels: Uint8Array;
  /** 4 bytes per colour: red, green, blue, alpha; at most 256 colours. */
  readonly palette: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const INDEXED_COLOR = 3;

/**
 * Encodes an indexed PNG, which has a quarter of the bytes of RGBA; pictures are embedded in SVG and reports. resvg
 * writes true colour only.
 *
 * @source ISO/IEC 15948 (PNG), sections 5 and 11
 */
export function encodeIndexedPng({width, height, pixels, palette}: IndexedImage): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED_COLOR, 0, 0, 0], 8);

  const colorCount = palette.length / 4;
  const rgb = Buffer.alloc(colorCount * 3);
  const alpha = Buffer.alloc(colorCount);
  for (let c = 0; c < colorCount; c++) {
    rgb.set(palette.subarray(c * 4, c * 4 + 3), c * 3);
    alpha[c] = palette[c * 4 + 3];
  }

  // Each row starts with its filter; 0 (none) suits indices best.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    chunk('IHDR', header),
    chunk('PLTE', rgb),
    chunk('tRNS', alpha),
    chunk('IDAT', deflateSync(rows, {level: 9})),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
