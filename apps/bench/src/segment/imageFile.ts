import {readFile, writeFile} from 'node:fs/promises';
import {extname} from 'node:path';
import {DatasetFormatError, writeFileAtomically} from '@epsball/datasets';
import sharp, {type Sharp} from 'sharp';

/** More pixels than this are refused by the header, before anything is decoded: such a file is broken, or hostile. */
const PIXELS_MAX = 200_000_000;

/** Segments end at sharp borders, which colour at half the resolution would smear. */
const JPEG = {quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: false} as const;

/** Of nine: pictures of flat segments hardly shrink further, and take several times as long. */
const PNG = {compressionLevel: 2} as const;

/** A picture: three sRGB bytes a pixel, rows from the top, and its opacity where the file has one. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
  readonly alpha?: Uint8Array | undefined;
}

/**
 * Reads a PNG or JPEG file, told by its first bytes; its name says nothing. Turned as its orientation tag says, and brought to sRGB where
 * it has another colour profile.
 *
 * @throws DatasetFormatError  if it is neither, too large, or broken
 */
export async function readPicture(path: string): Promise<Picture> {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    throw new DatasetFormatError(path, `cannot be read (${cause.code ?? cause.message}); expected a picture`, {cause});
  });
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  if (!isPng && !isJpeg) throw new DatasetFormatError(path, 'is no picture; expected PNG or JPEG');
  try {
    const image = sharp(bytes, {failOn: 'error', limitInputPixels: PIXELS_MAX, autoOrient: true});
    const {data, info} = await image.toColourspace('srgb').raw().toBuffer({resolveWithObject: true});
    const {width, height, channels} = info;
    return {width, height, ...splitAlpha(new Uint8Array(data.buffer, data.byteOffset, data.length), channels)};
  } catch (cause) {
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, ' ').trim();
    if (reason.includes('pixel limit')) {
      throw new DatasetFormatError(path, `has more pixels than ${PIXELS_MAX}, the most that are read`, {cause});
    }
    throw new DatasetFormatError(path, `is a broken picture (${reason}); expected PNG or JPEG`, {cause});
  }
}

/** Writes a picture in the format that the path ends in; JPEG has no opacity. The file appears whole or not at all. */
export async function writePicture(path: string, picture: Picture, signal?: AbortSignal): Promise<void> {
  const {width, height, rgb, alpha} = picture;
  const isPng = extname(path).toLowerCase() === '.png';
  const hasAlpha = isPng && alpha !== undefined;
  const samples = hasAlpha ? joinAlpha(rgb, alpha) : rgb;
  const image: Sharp = sharp(samples, {raw: {width, height, channels: hasAlpha ? 4 : 3}, limitInputPixels: false});
  const bytes = await (isPng ? image.png(PNG) : image.jpeg(JPEG)).toBuffer();
  await writeFileAtomically(path, (temporary) => writeFile(temporary, bytes, {signal}), signal);
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

function joinAlpha(rgb: Uint8Array, alpha: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(4 * alpha.length);
  for (let i = 0; i < alpha.length; i++) {
    for (let c = 0; c < 3; c++) rgba[4 * i + c] = rgb[3 * i + c];
    rgba[4 * i + 3] = alpha[i];
  }
  return rgba;
}
