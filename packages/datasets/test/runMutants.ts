// Damages files of each format and reads them: pnpm mutants [COUNT] [SEED] [FORMAT …]
import {FORMATS, readMutants} from './mutants.ts';

const [count = '1000', seed = '1', ...names] = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(FORMATS)) {
  const start = process.cpuUsage();
  const {faults, growth, ...counts} = await readMutants(name, Number(count), Number(seed));
  const {user, system} = process.cpuUsage(start);
  const line = {...counts, faults: faults.length, growthMB: Math.round(growth / 1e6), cpuS: (user + system) / 1e6};
  process.stdout.write(`${name} ${JSON.stringify(line)}\n`);
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
}
