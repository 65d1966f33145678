// s3rver has no types of its own.
declare module 's3rver' {
  import type {RequestListener} from 'node:http';

  export default class S3rver {
    constructor(options: {
      readonly port?: number;
      readonly address?: string;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets: readonly {readonly name: string; readonly configs: readonly string[]}[];
    });
    run(): Promise<{readonly port: number}>;
    close(): Promise<void>;
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
