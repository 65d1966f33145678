// A worker as a process of its own, for tests: `workerProcess.ts REDIS_URL LOCK_MS`.
import {startWorker} from '../src/bullmq/index.ts';

const [redis = '', lockMs = '30000'] = process.argv.slice(2);
const worker = await startWorker({redis, lockMs: Number(lockMs), onLine: (line) => process.stdout.write(`${line}\n`)});
process.stdout.write('ready\n');
process.once('SIGTERM', () => void worker.close(true).then(() => process.exit(0)));
