// Checks the lines of tracked files. Comments, Markdown and WGSL have at most 120 characters, apart from tables and
// lines with a URL. No file names an absolute path of a machine or the host of a package registry.
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {print, ROOT} from './packages/run.ts';

const LENGTH_MAX = 120;

/** Generated files. Their sources are checked instead. */
const GENERATED = /(?:\.wgsl\.ts|\.svg|\.html)$|^pnpm-lock\.yaml$|\/fixtures\/|^benchmarks\/(?:baselines|reports)\//;

const MACHINE = /(?<![\w.~-])\/(?:work|root|home\/\w+|Users\/\w+)\//;
const REGISTRY =
  /\b(?:registry\.(?:npmjs|yarnpkg|npmmirror)\.\w+|(?:deb|security|ftp\.\w+)\.debian\.org|pypi\.org|index\.crates\.io|proxy\.golang\.org)\b/;

type LineTest = (line: string) => boolean;

const isTypeScriptComment: LineTest = (line) => /^\s*(?:\/\/|\/\*|\*)|\s\/\/\s/.test(line);
const isHashComment: LineTest = (line) => /^\s*#|\s#\s/.test(line);
const isNoTable: LineTest = (line) => !/^\s*\|/.test(line);

/** Which lines of a file have a limit, by the extension. */
const LIMITED: Readonly<Record<string, LineTest>> = {
  '.ts': isTypeScriptComment,
  '.tsx': isTypeScriptComment,
  '.mjs': isTypeScriptComment,
  '.wgsl': () => true,
  '.md': isNoTable,
  '.py': isHashComment,
  '.yaml': isHashComment,
  '': isHashComment,
};

const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const files = tracked.split('\0').filter((file) => file !== '' && existsSync(join(ROOT, file)));
const long = files.filter((file) => !GENERATED.test(file)).flatMap(longLines);
const findings = [...long, ...files.flatMap(placesOfMachines)];
for (const finding of findings) print(finding);
if (findings.length > 0) process.exitCode = 1;

/** `FILE:LINE: …` of each line that is too long. */
function longLines(file: string): string[] {
  const isLimited = LIMITED[extname(file)];
  if (isLimited === undefined) return [];
  return linesOf(file).flatMap((line, k) => {
    const length = line.length <= LENGTH_MAX ? line.length : Array.from(line).length;
    if (length <= LENGTH_MAX || !isLimited(line) || /https?:\/\//.test(line)) return [];
    return [`${file}:${k + 1}: ${length} characters; expected at most ${LENGTH_MAX}`];
  });
}

function placesOfMachines(file: string): string[] {
  if (!(extname(file) in LIMITED) && extname(file) !== '.json') return [];
  return linesOf(file).flatMap((line, k) => {
    const found = MACHINE.exec(line) ?? REGISTRY.exec(line);
    return found ? [`${file}:${k + 1}: names ${found[0]}; expected no path or registry of a machine`] : [];
  });
}

function linesOf(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8').split('\n');
}
