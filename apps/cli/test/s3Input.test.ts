import {createServer, type Server} from 'node:http';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it, vi} from 'vitest';
import {runMain} from './runMain.ts';

let folder: string;
let server: Server;

/** An object for each path, which is read whole or by a range. */
const OBJECTS: Readonly<Record<string, string>> = {
  '/bucket/in.csv': 'x,y,name\n0,0,a\n0,1,b\n9,9,c\n',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-s3-'));
  server = createServer(({url = '', headers, method}, response) => {
    const text = OBJECTS[new URL(url, 'http://127.0.0.1').pathname];
    if (text === undefined) return response.writeHead(404).end();
    const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    const part = text.slice(Number(from), to === '' ? undefined : Number(to) + 1);
    const range = {'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${text.length}`};
    const status = headers.range === undefined ? 200 : 206;
    response.writeHead(status, {...range, 'content-length': part.length, etag: '"1"'});
    return response.end(method === 'HEAD' ? undefined : part);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'A');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'B');
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
  rmSync(folder, {recursive: true});
});

it('an object of S3 is an input, with columns beside its labels', async () => {
  writeFileSync(join(folder, 'in.csv'), OBJECTS['/bucket/in.csv']);
  for (const input of ['s3://bucket/in.csv', 'in.csv']) {
    const flags = ['--eps', '1', '--min-pts', '2', '--columns', 'x,y', '--keep', 'name', '--out', 'labels.csv'];
    const {stderr} = await runMain(['cluster', input, ...flags], {cwd: folder});
    expect(stderr).toBe('');
    const labels = readFileSync(join(folder, 'labels.csv'), 'utf8');
    expect(labels).toBe('index,label,core,name\n0,0,1,a\n1,0,1,b\n2,-1,0,c\n');
  }
});

it('an object that does not exist is refused in one line', async () => {
  const {code, stderr} = await runMain(['cluster', 's3://bucket/none.csv', '--eps', '1', '--min-pts', '2']);
  expect(stderr).toMatch(/^epsball: [^\n]*s3:\/\/bucket\/none\.csv[^\n]*expected an object that exists\n$/);
  expect(code).toBe(2);
});
