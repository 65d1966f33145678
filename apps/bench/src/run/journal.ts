import {appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {z} from 'zod';

/** What a run was asked for, and where it runs: a run that goes on must have the same. */
const headerSchema = z.object({
  suites: z.array(z.string()),
  profile: z.enum(['quick', 'full']),
  adapter: z.string(),
  only: z.array(z.string()),
  processes: z.int().positive(),
  commit: z.string(),
  machine: z.string(),
});
export type RunHeader = z.infer<typeof headerSchema>;

const lineSchema = z.discriminatedUnion('line', [
  z.object({line: z.literal('run'), header: headerSchema}),
  z.object({line: z.literal('suite'), suite: z.string(), stem: z.string(), startedAt: z.string()}),
  z.object({line: z.literal('cell'), suite: z.string(), cell: z.unknown()}),
  z.object({line: z.literal('result'), suite: z.string(), file: z.string()}),
]);
type JournalLine = z.infer<typeof lineSchema>;

/** A suite of an unfinished run. */
export interface EarlierSuite {
  readonly stem: string;
  readonly startedAt: string;
  /** Finished cells, as the schema of the suite's kind reads them. */
  readonly cells: readonly unknown[];
  /** The result file, if the suite ended. */
  readonly result: {readonly file: string} | null;
}

const NAME = 'unfinished.ndjson';

/**
 * The finished cells of a run, one line each, on disk at once: neither Ctrl-C nor a crash loses one. The file lies
 * beside the results until the run ends.
 */
export class RunJournal {
  readonly #file: string;
  readonly header: RunHeader;
  readonly #earlier: ReadonlyMap<string, EarlierSuite>;

  private constructor(file: string, header: RunHeader, earlier: ReadonlyMap<string, EarlierSuite>) {
    this.#file = file;
    this.header = header;
    this.#earlier = earlier;
  }

  /** Starts a run. The journal of an earlier unfinished run keeps its cells under another name. */
  static start(resultsDir: string, header: RunHeader): RunJournal {
    const file = join(resultsDir, NAME);
    if (existsSync(file)) renameSync(file, join(resultsDir, `abandoned-${Date.now()}.ndjson`));
    const first: JournalLine = {line: 'run', header};
    writeFileSync(file, `${JSON.stringify(first)}\n`);
    return new RunJournal(file, header, new Map());
  }

  /**
   * The unfinished run of a folder; null if there is none.
   *
   * @throws InvalidParameterError  if the file is no journal
   */
  static open(resultsDir: string): RunJournal | null {
    const file = join(resultsDir, NAME);
    if (!existsSync(file)) return null;
    // A crash may cut the last line.
    const lines = readFileSync(file, 'utf8').split('\n').flatMap(parseLine);
    const [first] = lines;
    if (first?.line !== 'run') throw new InvalidParameterError('--resume', file, 'the journal of a run');
    // Ends a line that was cut.
    appendFileSync(file, '\n');
    return new RunJournal(file, first.header, earlierSuites(lines));
  }

  /** What an earlier run has of a suite. */
  earlier(suite: string): EarlierSuite | undefined {
    return this.#earlier.get(suite);
  }

  /** On disk before it returns. */
  append(line: JournalLine): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  /** The run has ended, and its results have everything. */
  remove(): void {
    rmSync(this.#file, {force: true});
  }
}

function parseLine(text: string): JournalLine[] {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch {
    return [];
  }
}

function earlierSuites(lines: readonly JournalLine[]): Map<string, EarlierSuite> {
  const suites = new Map<string, EarlierSuite>();
  for (const one of lines) {
    if (one.line === 'suite' && !suites.has(one.suite)) {
      suites.set(one.suite, {stem: one.stem, startedAt: one.startedAt, cells: [], result: null});
    }
    const known = one.line === 'run' ? undefined : suites.get(one.suite);
    if (known === undefined) continue;
    if (one.line === 'cell') suites.set(one.suite, {...known, cells: [...known.cells, one.cell]});
    if (one.line === 'result') suites.set(one.suite, {...known, result: {file: one.file}});
  }
  return suites;
}
