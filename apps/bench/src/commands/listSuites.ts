import {formatTable} from '@epsball/cli/command';

/** The suites as a table. */
export async function listSuites(): Promise<string> {
  const {suites} = await import('@epsball/benchmarks');
  return formatTable([['ID', 'TITLE', 'SOURCE'], ...suites.map((suite) => [suite.id, suite.title, suite.source])]);
}
