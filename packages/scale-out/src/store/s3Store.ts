import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import {InvalidParameterError} from '@epsball/clustering';
import {PatientRetryStrategy} from './patientRetryStrategy.ts';
import {StoreError, type Store} from './store.ts';

/** Objects below a prefix of a bucket. An object is visible only when it is complete, so a plain put suffices. */
export class S3Store implements Store {
  readonly url: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;

  constructor(url: string) {
    const {bucket, key} = parseS3Url(url);
    this.#bucket = bucket;
    this.#prefix = key === '' ? '' : `${key.replace(/\/+$/, '')}/`;
    this.url = `s3://${bucket}/${this.#prefix}`.replace(/\/+$/, '');
    this.#client = createClient();
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#get(path);
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw this.#failure('read', path, error);
    }
  }

  async size(path: string): Promise<number | undefined> {
    return (await this.version(path))?.bytes;
  }

  /** Bytes and entity tag of an object, or undefined if there is none. The tag changes with all of the content. */
  async version(path: string): Promise<{readonly bytes: number; readonly tag: string} | undefined> {
    try {
      const {ContentLength: bytes = 0, ETag: tag = ''} = await this.#client.send(
        new HeadObjectCommand({Bucket: this.#bucket, Key: this.#prefix + path}),
      );
      return {bytes, tag};
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw this.#failure('read', path, error);
    }
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    if (start === end) return new Uint8Array(0);
    try {
      const bytes = await this.#get(path, `bytes=${start}-${end - 1}`);
      if (bytes.length !== end - start) throw new Error(`has ${bytes.length} bytes in range ${start} to ${end}`);
      return bytes;
    } catch (error) {
      throw this.#failure('read', path, error);
    }
  }

  async write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    try {
      const Body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
      await this.#client.send(new PutObjectCommand({Bucket: this.#bucket, Key: this.#prefix + path, Body}));
    } catch (error) {
      throw this.#failure('written', path, error);
    }
  }

  async list(folder: string): Promise<string[]> {
    try {
      const prefix = `${this.#prefix}${folder}/`;
      const names = new Set<string>();
      for await (const key of this.#keys(prefix)) names.add(key.slice(prefix.length).split('/')[0]);
      return [...names].sort();
    } catch (error) {
      throw this.#failure('listed', folder, error);
    }
  }

  async remove(folder: string): Promise<void> {
    try {
      const keys: string[] = [];
      for await (const key of this.#keys(`${this.#prefix}${folder}/`)) keys.push(key);
      for (let start = 0; start < keys.length; start += 1000) {
        const Objects = keys.slice(start, start + 1000).map((Key) => ({Key}));
        await this.#client.send(new DeleteObjectsCommand({Bucket: this.#bucket, Delete: {Objects}}));
      }
    } catch (error) {
      throw this.#failure('removed', folder, error);
    }
  }

  async #get(path: string, Range?: string): Promise<Uint8Array> {
    const request = {Bucket: this.#bucket, Key: this.#prefix + path, ...(Range === undefined ? {} : {Range})};
    const {Body} = await this.#client.send(new GetObjectCommand(request));
    return (await Body?.transformToByteArray()) ?? new Uint8Array(0);
  }

  async *#keys(Prefix: string): AsyncGenerator<string> {
    let ContinuationToken: string | undefined;
    do {
      const page: ListObjectsV2CommandOutput = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix,
          ...(ContinuationToken === undefined ? {} : {ContinuationToken}),
        }),
      );
      for (const {Key} of page.Contents ?? []) if (Key !== undefined) yield Key;
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  #failure(verb: string, path: string, cause: unknown): StoreError {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    return new StoreError(`${this.url}/${path} cannot be ${verb} (${reason})`, {cause});
  }
}

/** @throws InvalidParameterError  if it has no bucket */
export function parseS3Url(url: string): {bucket: string; key: string} {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(url) ?? [];
  if (bucket === undefined) throw new InvalidParameterError('work', url, 's3://bucket/prefix');
  return {bucket, key};
}

/** Endpoints of the caller's own (`AWS_ENDPOINT_URL`) rarely resolve a bucket as a host name. */
function createClient(): S3Client {
  return new S3Client({
    forcePathStyle: process.env['AWS_ENDPOINT_URL'] !== undefined,
    retryStrategy: new PatientRetryStrategy(),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
