import {existsSync} from 'node:fs';
import {createServer, type RequestListener, type Server} from 'node:http';
import {join} from 'node:path';
import S3rver from 's3rver';

/** How the server answers `If-None-Match: *`. s3rver itself ignores the header, as some services do. */
export type Conditions = 'honoured' | 'ignored' | 'answered by 501';

interface Refusal {
  readonly status: number;
  readonly code: string;
}

/** An S3 server of the test on 127.0.0.1, with the bucket `bucket` below a folder. */
export class S3Server {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts a server, and points the environment of this process, and of its children, to it. */
  static async start(directory: string, port = 0, conditions: Conditions = 'honoured'): Promise<S3Server> {
    const rver = new S3rver({silent: true, directory, configureBuckets: [{name: 'bucket', configs: []}]});
    await rver.configureBuckets();
    const server = createServer(withConditions(rver.callback(), directory, conditions));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    const started = new S3Server(server);
    process.env['AWS_ENDPOINT_URL'] = `http://127.0.0.1:${started.port}`;
    process.env['AWS_REGION'] = 'us-east-1';
    process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER';
    return started;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/**
 * Adds what s3rver lacks: a put with `If-None-Match: *` succeeds once for each key. A put while another one of the same
 * key is in progress conflicts, as in S3.
 */
function withConditions(listener: RequestListener, directory: string, conditions: Conditions): RequestListener {
  const inProgress = new Set<string>();
  const refusalOf = (key: string): Refusal | undefined => {
    if (conditions === 'answered by 501') return {status: 501, code: 'NotImplemented'};
    if (inProgress.has(key)) return {status: 409, code: 'ConditionalRequestConflict'};
    if (!existsSync(join(directory, `${key}._S3rver_object`))) return undefined;
    return {status: 412, code: 'PreconditionFailed'};
  };
  return (request, response) => {
    const {method, url = '', headers} = request;
    if (method !== 'PUT') return listener(request, response);
    const key = decodeURIComponent(new URL(url, 'http://127.0.0.1').pathname);
    const isConditional = headers['if-none-match'] === '*' && conditions !== 'ignored';
    const refusal = isConditional ? refusalOf(key) : undefined;
    if (refusal !== undefined) {
      request.resume();
      response.writeHead(refusal.status, {'content-type': 'application/xml'});
      return response.end(`<Error><Code>${refusal.code}</Code><Message>${refusal.code}</Message></Error>`);
    }
    inProgress.add(key);
    response.once('close', () => inProgress.delete(key));
    return listener(request, response);
  };
}
