import type {AdapterReport} from '@epsball/gpu';
import {ADAPTER_VARIABLE} from '@epsball/gpu/adapter-choice';
import type {Command} from 'commander';
import {availableParallelism, cpus} from 'node:os';
import {forcedAdapter} from '../adapterForced.ts';
import {copyAdvice, listTunables} from '../copyAdvice.ts';
import {adapterName, formatCount, formatTable} from '../text.ts';

/** The limits on the number of points. */
const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupStorageSize',
] as const;

/** The features that kernels use. */
const FEATURES = ['timestamp-query', 'subgroups', 'shader-f16'] as const;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('show Node, threads and GPU adapters, and which adapter would be used')
    .action(async () => {
      const [{listAdapters}, {memoryBytes}] = await Promise.all([import('@epsball/gpu'), import('@epsball/datasets')]);
      forcedAdapter('auto');
      process.stdout.write(describeHost(memoryBytes()));
      const reports = (await listAdapters()).map((report) => ({
        ...report,
        // This command has no flag; the choice comes from the variable.
        reason: report.reason.replace('--adapter ', `${ADAPTER_VARIABLE}=`),
      }));
      for (const report of reports) process.stdout.write(`\n${describeAdapter(report)}`);
      process.stdout.write(`\n${describeChoice(reports)}\n`);
      const hasHardware = reports.some(({kind, info}) => kind === 'hardware' && info !== null);
      process.stdout.write(await describeBackends(hasHardware));
      if (hasHardware) process.stdout.write(copyAdvice(await listTunables()));
    });
}

/** The backends that `auto` takes by number of points, in a kept instance and in a single run. */
async function describeBackends(hasHardware: boolean): Promise<string> {
  const {backendRanges} = await import('@epsball/dbscan');
  const lines = [2, 3, 8].flatMap((dim) =>
    [false, true].map((isOneShot) => {
      const ranges = backendRanges({dim, isOneShot}, hasHardware).map(({backend, from}) =>
        from === 1 ? backend : `${backend} from ${formatCount(from)} points`,
      );
      return `--backend auto, ${dim}-D, ${isOneShot ? 'one run' : 'many runs'}: ${ranges.join(', ')}\n`;
    }),
  );
  return lines.join('');
}

/** @param memory  of the process: the limit of a container, or all of the machine */
function describeHost(memory: number): string {
  const forced = process.env[ADAPTER_VARIABLE];
  return formatTable([
    ['node', `${process.versions.node} (${process.platform}-${process.arch})`],
    ['processor', cpus()[0]?.model ?? 'unknown'],
    ['threads', String(availableParallelism())],
    ['memory', gibibytes(memory)],
    [ADAPTER_VARIABLE, forced === undefined || forced === '' ? 'not set' : forced],
  ]);
}

function describeAdapter({kind, info, error, chosen, reason}: AdapterReport): string {
  const head = `${chosen ? '→' : ' '} ${kind}: `;
  if (info === null) return `${head}none (${(error ?? reason).split('\n', 1)[0]})\n`;
  const rows = [
    ['vendor', [info.vendor, info.architecture].filter((part) => part !== '').join(' ') || '–'],
    ['subgroups', `${info.subgroupMinSize} to ${info.subgroupMaxSize}`],
    ...FEATURES.map((name) => [name, info.features.includes(name) ? 'yes' : 'no']),
    ...LIMITS.map((name) => [name, formatLimit(name, info.limits[name])]),
  ];
  const table = formatTable(rows.map(([name, value]) => [`    ${name}`, value]));
  return `${head}${adapterName(info)} (${reason})\n${table}`;
}

function describeChoice(reports: readonly AdapterReport[]): string {
  const chosen = reports.find((report) => report.chosen);
  if (chosen === undefined || chosen.info === null) return 'GPU runs would fail: no adapter can be used.';
  const automatic =
    chosen.kind === 'hardware'
      ? '--backend auto uses it for large data.'
      : '--backend auto never takes a software adapter; --backend gpu does.';
  return `GPU runs use ${adapterName(chosen.info)}: ${chosen.reason}. ${automatic}`;
}

function formatLimit(name: string, value: number | undefined): string {
  if (value === undefined) return '–';
  return name.endsWith('Size') && value >= 2 ** 30 ? gibibytes(value) : formatCount(value);
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
