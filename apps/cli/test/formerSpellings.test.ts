import {expect, it} from 'vitest';
import {runMain} from './runMain.ts';

const RUN = 'epsball scale run INPUT --eps E --min-pts M --work DIR';
const HDBSCAN = 'epsball hdbscan INPUT --min-cluster-size N';
const PARAMS = ['--eps', '1', '--min-pts', '2'];

it.for<[string[], string]>([
  [['cluster', 'a.csv', ...PARAMS, '--work', 'w'], `option = "--work"; expected ${RUN}`],
  [['cluster', 'a.csv', ...PARAMS, '--memory', '1GB'], `option = "--memory"; expected ${RUN}`],
  [['cluster', 'a.csv', '--order', 'tile', '--work', 'w'], `option = "--order"; expected ${RUN}`],
  [['cluster', 'a.csv', '--concurrency', '2'], `option = "--concurrency"; expected ${RUN}`],
  [['cluster', 'a.csv', '--run', 'night'], `option = "--run"; expected ${RUN}`],
  [['cluster', 'a.csv', '--scale-out', 'redis://u:secret@h'], `option = "--scale-out"; expected ${RUN} --redis URL`],
  [['cluster', 'a.csv', '--workers', '2'], `option = "--workers"; expected ${RUN} --redis URL`],
  [['cluster', 'a.csv', '--algorithm', 'hdbscan'], `--algorithm = "hdbscan"; expected ${HDBSCAN}`],
  [['cluster', 'a.csv', ...PARAMS, '--min-cluster-size', '3'], `option = "--min-cluster-size"; expected ${HDBSCAN}`],
  [['cluster', 'a.csv', ...PARAMS, '--exclude-self'], `option = "--exclude-self"; expected ${HDBSCAN}`],
  [['cluster', 'a.csv', ...PARAMS, '--selection-eps', '3'], `option = "--selection-eps"; expected ${HDBSCAN}`],
  [['cluster', 'a.csv', ...PARAMS, '--duplicates', 'once'], `option = "--duplicates"; expected ${HDBSCAN}`],
  [['cluster', 'a.csv', ...PARAMS, '--tree', 'a.svg'], `option = "--tree"; expected ${HDBSCAN}`],
  [['worker', 'redis://h'], 'command = "worker"; expected epsball scale worker REDIS'],
  [['runs', 'redis://h', '--json'], 'command = "runs"; expected epsball scale runs REDIS'],
])('the former spelling %j answers with the new one', async ([args, message]) => {
  expect(await runMain(args)).toEqual({code: 2, stdout: '', stderr: `epsball: ${message}\n`});
});
