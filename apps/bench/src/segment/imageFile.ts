import {readFile, writeFile} from 'node:fs/promises';
import {extname} from 'node:path';
import {DatasetFormatError, writeFileAtomically} from '@epsball/datasets';
import {convertIndexedToRgb, decode as decodePng, encode as encodePng, type DecodedPng} from 'fast-png';
import jpeg from 'jpeg-js';

/** What a JPEG file may take: one that claims more is broken, or hostile. */
const JPEG_LIMITS = {maxResolutionInMP: 200, maxMemoryUsageInMB: 4096} as const;
const JPEG_QUALITY = 92;

/** A picture: three sRGB bytes a pixel, rows from the top, and its opacity where it is not opaque all over. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly alpha?: Uint8Array | undefined;
}

/**
 * Reads a PNG or JPEG file, told by its first bytes; its name says nothing. Orientation tags and colour profiles are not looked at.
 *
 * @throws DatasetFormatError  if it is neither, or broken
 */
export async function readPicture(path: string): Promise<Picture> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new DatasetFormatError(path, `cannot be read (${cause.code ?? cause.message}); expected a picture`, {cause});
  });
  try {
    if (bytes[0] === 0x89 && bytes[1] === 0x50) return ofPng(decodePng(bytes));
    if (bytes[0] === 0xff && bytes[1] === 0xd8) return ofJpeg(bytes);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new DatasetFormatError(path, `is a broken picture (${reason}); expected PNG or JPEG`, {cause});
  }
  throw new DatasetFormatError(path, 'is no picture; expected PNG or JPEG');
}

/** Writes a picture in the format that the path ends in; JPEG has no opacity. The file appears whole or not at all. */
export function writePicture(path: string, picture: Picture, signal?: AbortSignal): Promise<void> {
  const {width, height, rgb, alpha} = picture;
  const isPng = extname(path).toLowerCase() === '.png';
  const bytes = isPng
    ? encodePng({
        width,
        height,
        data: alpha === undefined ? rgb : withAlpha(rgb, alpha),
        channels: alpha === undefined ? 3 : 4,
        depth: 8,
      })
    : jpeg.encode({width, height, data: withAlpha(rgb)}, JPEG_QUALITY).data;
  return writeFileAtomically(path, (temporary) => writeFile(temporary, bytes, {signal}), signal);
}

function ofJpeg(bytes: Uint8Array): Picture {
  const {width, height, data} = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false,
    ...JPEG_LIMITS,
  });
  return {width, height, rgb: data};
}

/** Any depth, grey or coloured, with a palette or without. */
function ofPng(png: DecodedPng): Picture {
  const {width, height, palette} = png;
  const n = width * height;
  const samples = palette === undefined ? bytesOf(png) : convertIndexedToRgb(png);
  const channels = samples.length / n;
  const isGrey = channels < 3;
  const rgb = new Uint8Array(3 * n);
  const alpha = channels % 2 === 0 ? new Uint8Array(n) : undefined;
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = samples[channels * i + (isGrey ? 0 : c)];
    if (alpha !== undefined) alpha[i] = samples[channels * i + channels - 1];
  }
  return {width, height, rgb, alpha};
}

/** Samples of eight bits; fewer are packed, and rows begin at whole bytes. */
function bytesOf({width, height, channels, depth, data}: DecodedPng): Uint8Array {
  if (depth === 16) return Uint8Array.from(data, (sample) => sample >> 8);
  if (depth === 8) return Uint8Array.from(data);
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const largest = 2 ** depth - 1;
  const samples = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width * channels; x++) {
      const bit = x * depth;
      const packed = data[y * rowBytes + (bit >> 3)] >> (8 - depth - (bit & 7));
      samples[y * width * channels + x] = Math.round(((packed & largest) * 255) / largest);
    }
  }
  return samples;
}

function withAlpha(rgb: Uint8Array, alpha?: Uint8Array): Uint8Array {
  const n = rgb.length / 3;
  const rgba = new Uint8Array(4 * n);
  for (let i = 0; i < n; i++) {
    rgba[4 * i] = rgb[3 * i];
    rgba[4 * i + 1] = rgb[3 * i + 1];
    rgba[4 * i + 2] = rgb[3 * i + 2];
    rgba[4 * i + 3] = alpha === undefined ? 255 : alpha[i];
  }
  return rgba;
}
