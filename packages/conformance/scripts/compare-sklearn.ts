import {highDimensionalCases} from '../src/cases/highDimensional.ts';
import {cases} from '../src/cases.ts';
import {compareWithSklearn, findPythonWithSklearn} from '../src/sklearn.ts';

// Usage: compare-sklearn.ts [PYTHON]. Prints every case that is not equal, then the totals. Exits with 1 if an outcome
// is not the one that the case declares.

const python = process.argv[2] ?? findPythonWithSklearn();
if (python === undefined) throw new Error('no Python with scikit-learn; set it as the argument or in EPSBALL_PYTHON');
const {version, rows} = await compareWithSklearn([...cases, ...highDimensionalCases], python);
const counts = new Map<string, number>();
let surprises = 0;
for (const {testCase, outcome, detail} of rows) {
  const isDeclared = outcome === (testCase.sklearn?.outcome ?? 'equal');
  if (!isDeclared) surprises++;
  const key = isDeclared ? outcome : `${outcome}, not declared`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
  if (outcome === 'equal' && isDeclared) continue;
  const reason = isDeclared ? `; ${testCase.sklearn?.reason}` : '';
  process.stdout.write(`${key.padEnd(26)} ${testCase.name}: ${detail}${reason}\n`);
}
process.stdout.write(`\nscikit-learn ${version} against the oracle, ${rows.length} cases\n`);
for (const [key, count] of counts) process.stdout.write(`${String(count).padStart(6)} ${key}\n`);
process.exitCode = surprises === 0 ? 0 : 1;
