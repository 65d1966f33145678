import type {OpenFile} from '@epsball/datasets';
import type {InputFile} from '../run.ts';
import type {S3Store} from '../store/s3Store.ts';

/** Least bytes of a request: a reader may ask for few at a time. */
const PIECE_BYTES = 2 ** 23;

/** Loaded on demand, as the client of S3 is large. */
export async function openBucket(url: string): Promise<{store: S3Store; key: string}> {
  const {parseS3Url, S3Store} = await import('../store/s3Store.ts');
  const {bucket, key} = parseS3Url(url);
  return {store: new S3Store(`s3://${bucket}`), key};
}

export async function openObject(
  {path, bytes: size}: Pick<InputFile, 'path' | 'bytes'>,
  pieceBytes: number = PIECE_BYTES,
): Promise<OpenFile> {
  const {store, key} = await openBucket(path);
  let last = {start: 0, bytes: new Uint8Array(0)};
  return {
    path,
    size,
    readInto: async (target, position) => {
      let {start, bytes} = last;
      if (position < start || position + target.length > start + bytes.length) {
        const end = Math.min(size, position + Math.max(target.length, pieceBytes));
        [start, bytes] = [position, new Uint8Array(await store.readRange(key, position, end))];
        last = {start, bytes};
      }
      const part = bytes.subarray(position - start, position - start + target.length);
      target.set(part);
      return part.length;
    },
  };
}
