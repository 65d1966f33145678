import {extname} from 'node:path';
import {DatasetFormatError, readBytes, withOpenFile, writeContent, type OpenFile} from '@epsball/datasets';
import type sharpModule from 'sharp';
import type {OutputInfo, Sharp} from 'sharp';
import {loadOptional} from '../installLine.ts';

/** A header with more pixels is refused before anything is decoded. */
const PIXELS_MAX = 200_000_000;

/** Uncompressed size of that many pixels with 32 bits each. */
const FILE_BYTES_MAX = 4 * PIXELS_MAX;

/** Chroma at half the resolution would blur the sharp borders of segments. */
const JPEG = {quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false} as const;

/** Levels up to 9 take several times as long and hardly shrink pictures of segments further. */
const PNG = {compressionLevel: 2} as const;

/** A picture: three sRGB bytes per pixel in rows from the top, and the opacity if the file has one. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly alpha?: Uint8Array | undefined;
  /** Frames or pages of the file, if there are several; this is the first one. */
  readonly frames?: number;
}

/** Decodes and encodes pictures. An optional peer, 19 MB. */
async function loadSharp(): Promise<typeof sharpModule> {
  return (await loadOptional('segment', 'sharp@0.35', () => import('sharp'))).default;
}

/** The first bytes of the formats, in Latin-1. */
const MAGIC: Readonly<Record<string, RegExp>> = {
  PNG: /^\x89PNG\r\n/,
  JPEG: /^\xff\xd8\xff/,
  WebP: /^RIFF[^]{4}WEBP/,
  AVIF: /^[^]{4}ftyp(?:avi[fs]|mif1|msf1)/,
  GIF: /^GIF8[79]a/,
  TIFF: /^(?:II[*+]\0|MM\0[*+])/,
};
const MAGIC_BYTES = 12;
const KINDS = new Intl.ListFormat('en', {type: 'disjunction'}).format(Object.keys(MAGIC)).replace(', or ', ' or ');

/** The container of AVIF with a codec that no free library has. */
const HEIC = /^[^]{4}ftyphe[iv]/;

/**
 * Reads a PNG, JPEG, WebP, AVIF, GIF or TIFF file; of several frames or pages the first one. The first bytes tell the
 * format; the name does not matter. The picture is turned as its orientation tag says, and converted to sRGB from
 * another colour profile.
 */
export async function readPicture(path: string, signal?: AbortSignal): Promise<Picture> {
  const bytes = await withOpenFile(path, readPictureBytes, `a ${KINDS} file`);
  const sharp = await loadSharp();
  signal?.throwIfAborted();
  try {
    const {data, info} = await decode(sharp, bytes);
    const {width, height, channels} = info;
    const {pages: frames = 1} = await sharp(bytes).metadata();
    const samples = splitAlpha(new Uint8Array(data.buffer, data.byteOffset, data.length), channels);
    return {width, height, ...samples, ...(frames > 1 ? {frames} : {})};
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ').trim();
    if (reason.includes('pixel limit')) {
      throw new DatasetFormatError(path, `has more pixels than ${PIXELS_MAX}, the most that are read`, {cause});
    }
    throw new DatasetFormatError(path, `is a broken picture (${reason}); expected ${KINDS}`, {cause});
  }
}

/**
 * Decodes a picture. Cameras write files that libjpeg warns of, so warnings pass, but for one: data that end too early,
 * for which libjpeg makes up the rest.
 */
async function decode(sharp: typeof sharpModule, bytes: Uint8Array): Promise<{data: Buffer; info: OutputInfo}> {
  const decodeUntil = (failOn: 'warning' | 'error'): Promise<{data: Buffer; info: OutputInfo}> =>
    sharp(bytes, {failOn, limitInputPixels: PIXELS_MAX, autoOrient: true})
      .toColourspace('srgb')
      .raw()
      .toBuffer({resolveWithObject: true});
  try {
    return await decodeUntil('warning');
  } catch (error) {
    if (error instanceof Error && /premature end/i.test(error.message)) throw error;
    return decodeUntil('error');
  }
}

/** The bytes of a file, once its first bytes and its size are checked. */
async function readPictureBytes(file: OpenFile): Promise<Uint8Array> {
  const start = Buffer.alloc(Math.min(MAGIC_BYTES, file.size));
  await readBytes(file, start, 0);
  const head = start.toString('latin1');
  if (HEIC.test(head)) throw new DatasetFormatError(file.path, `is HEIC; expected ${KINDS}`);
  if (!Object.values(MAGIC).some((magic) => magic.test(head))) {
    throw new DatasetFormatError(file.path, `is not a picture; expected ${KINDS}`);
  }
  if (file.size > FILE_BYTES_MAX) {
    throw new DatasetFormatError(file.path, `has ${file.size} bytes; expected at most ${FILE_BYTES_MAX}`);
  }
  const bytes = new Uint8Array(file.size);
  await readBytes(file, bytes, 0);
  return bytes;
}

/** Writes a picture in the format of the extension; JPEG has no opacity. The file appears whole or not at all. */
export async function writePicture(path: string, picture: Picture, signal?: AbortSignal): Promise<void> {
  const {width, height, rgb, alpha} = picture;
  const isPng = extname(path).toLowerCase() === '.png';
  const sharp = await loadSharp();
  const image: Sharp = sharp(rgb, {raw: {width, height, channels: 3}, limitInputPixels: false});
  if (isPng && alpha !== undefined) image.joinChannel(Buffer.from(alpha), {raw: {width, height, channels: 1}});
  const bytes = await (isPng ? image.png(PNG) : image.jpeg(JPEG)).toBuffer();
  await writeContent(path, bytes, signal);
}

function splitAlpha(samples: Uint8Array, channels: number): Pick<Picture, 'rgb' | 'alpha'> {
  if (channels === 3) return {rgb: samples};
  const n = samples.length / channels;
  const rgb = new Uint8Array(3 * n);
  const alpha = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    for (let c = 0; c < 3; c++) rgb[3 * i + c] = samples[channels * i + c];
    alpha[i] = samples[channels * i + 3];
  }
  return {rgb, alpha};
}
