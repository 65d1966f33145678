import {spawnSync} from 'node:child_process';

/**
 * The first interpreter that imports scikit-learn: `EPSBALL_PYTHON` if it is set, else `python3`, then the system's
 * own, which another Python on the path can hide. Undefined if no interpreter does.
 */
export function findPythonWithSklearn(): string | undefined {
  const {EPSBALL_PYTHON} = process.env;
  const candidates = EPSBALL_PYTHON === undefined ? ['python3', '/usr/bin/python3'] : [EPSBALL_PYTHON];
  return candidates.find(
    (python) => spawnSync(python, ['-c', 'import sklearn.cluster'], {stdio: 'ignore'}).status === 0,
  );
}
