import {dirname} from 'node:path/posix';
import {setTimeout as sleep} from 'node:timers/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3';
import {InvalidParameterError} from '@epsball/clustering';
import {PatientRetryStrategy} from './patientRetryStrategy.ts';
import {StoreError, type Store} from './store.ts';

const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
const RANGE_NOT_SATISFIABLE = 416;
const NOT_IMPLEMENTED = 501;

/** S3 answers a put on a condition with a conflict while another one of the same key is in progress. */
const CONFLICTS_MAX = 100;
const CONFLICT_WAIT_MS = 100;

/** A service that is silent for so long has lost the request, which is repeated. */
const SILENCE_MS = 30_000;

/** Attempts to receive an object whose transfer breaks off: requests are repeated by the client, transfers are not. */
const TRANSFERS_MAX = 4;

/** Objects below a prefix of a bucket. An object is visible only when it is complete, so a plain put suffices. */
export class S3Store implements Store {
  readonly url: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;

  /** @param silenceMs  tests pass less */
  constructor(url: string, silenceMs: number = SILENCE_MS) {
    const {bucket, key} = parseS3Url(url);
    this.#bucket = bucket;
    this.#prefix = key === '' ? '' : `${key.replace(/\/+$/, '')}/`;
    this.url = `s3://${bucket}/${this.#prefix}`.replace(/\/+$/, '');
    this.#client = createClient(silenceMs);
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await this.#get(path);
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw this.#failure('read', path, error);
    }
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
      const bytes = await this.#get(path, {start, end});
      if (bytes.length === end - start) return bytes;
    } catch (error) {
      throw this.#failure('read', path, error);
    }
    throw new StoreError(`${this.url}/${path} cannot be read (ends before byte ${end})`, {isMissing: true});
  }

  write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    return this.#put(path, parts).catch((error: unknown) => Promise.reject(this.#failure('written', path, error)));
  }

  async writeNew(path: string, parts: readonly Uint8Array[]): Promise<boolean> {
    try {
      // A service that ignores the condition overwrites. Two puts of one key show that it does not.
      const probe = `${dirname(path)}/probe`;
      const isHonoured = !(await this.#putNew(probe, [])) || !(await this.#putNew(probe, []));
      if (isHonoured) return await this.#putNew(path, parts);
    } catch (error) {
      if (statusOf(error) !== NOT_IMPLEMENTED) throw this.#failure('written', path, error);
    }
    const expectation = 'a folder, or an S3 service that honours If-None-Match: * of PutObject';
    throw new InvalidParameterError('work', this.url, expectation);
  }

  /** Whether the object was new. A repeated request may find the object that its first attempt wrote. */
  async #putNew(path: string, parts: readonly Uint8Array[]): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.#put(path, parts, '*');
        return true;
      } catch (error) {
        const status = statusOf(error);
        if (status === PRECONDITION_FAILED) return false;
        if (status !== CONFLICT || attempt === CONFLICTS_MAX) throw error;
        await sleep(CONFLICT_WAIT_MS);
      }
    }
  }

  async #put(path: string, parts: readonly Uint8Array[], IfNoneMatch?: '*'): Promise<void> {
    const Body = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    await this.#client.send(
      new PutObjectCommand({Bucket: this.#bucket, Key: this.#prefix + path, Body, ...(IfNoneMatch && {IfNoneMatch})}),
    );
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

  async remove(path: string): Promise<void> {
    try {
      const keys = [this.#prefix + path];
      for await (const key of this.#keys(`${this.#prefix}${path}/`)) keys.push(key);
      for (let start = 0; start < keys.length; start += 1000) {
        const Objects = keys.slice(start, start + 1000).map((Key) => ({Key}));
        await this.#client.send(new DeleteObjectsCommand({Bucket: this.#bucket, Delete: {Objects}}));
      }
    } catch (error) {
      throw this.#failure('removed', path, error);
    }
  }

  async #get(path: string, range?: {readonly start: number; readonly end: number}): Promise<Uint8Array> {
    const part = range && {Range: `bytes=${range.start}-${range.end - 1}`};
    const request = {Bucket: this.#bucket, Key: this.#prefix + path, ...part};
    for (let attempt = 1; ; attempt++) {
      const {Body} = await this.#client.send(new GetObjectCommand(request));
      try {
        return (await Body?.transformToByteArray()) ?? new Uint8Array(0);
      } catch (error) {
        // The service has promised bytes that the object does not have.
        if (range !== undefined && ((await this.version(path))?.bytes ?? 0) < range.end) return new Uint8Array(0);
        if (attempt === TRANSFERS_MAX) throw error;
      }
    }
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
    const isMissing = cause instanceof NoSuchKey || statusOf(cause) === RANGE_NOT_SATISFIABLE;
    return new StoreError(`${this.url}/${path} cannot be ${verb} (${reason})`, {cause, isMissing});
  }
}

/** The HTTP status of a failed request. */
function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
}

/** @throws InvalidParameterError  if it has no bucket */
export function parseS3Url(url: string): {bucket: string; key: string} {
  const [, bucket, key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(url) ?? [];
  if (bucket === undefined) throw new InvalidParameterError('work', url, 's3://bucket/prefix');
  return {bucket, key};
}

/** Endpoints of the caller's own (`AWS_ENDPOINT_URL`) rarely resolve a bucket as a host name. */
function createClient(silenceMs: number): S3Client {
  return new S3Client({
    requestHandler: {connectionTimeout: silenceMs, socketTimeout: silenceMs},
    forcePathStyle: process.env['AWS_ENDPOINT_URL'] !== undefined,
    retryStrategy: new PatientRetryStrategy(),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
