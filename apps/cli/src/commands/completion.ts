import {Argument, type Command} from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What follows `epsball` or `epsball scale`: words of a command line, and what they mean. */
interface Level {
  /** Words before: empty, or a command. */
  readonly words: string;
  readonly next: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly what: string;
  /** What an option takes behind it, if that is one of a few words. */
  readonly values?: readonly string[] | undefined;
}

// A script for each shell from the tree of commands is shorter than any library, and asks nothing of this program.
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<SHELL>').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => {
      process.stdout.write(SCRIPTS[shell](levelsOf(program)));
    });
}

/** All levels, the deepest first. */
function levelsOf(command: Command, words = ''): Level[] {
  const options = command.options.filter(({hidden}) => !hidden);
  const next = [
    ...command.commands.map((one) => ({word: one.name(), what: one.description()})),
    ...command.registeredArguments.flatMap(({argChoices = []}) => argChoices.map((word) => ({word, what: ''}))),
    ...options.flatMap(({long, description, argChoices}) =>
      long == null ? [] : [{word: long, what: description, values: argChoices}],
    ),
    {word: '--help', what: 'show the help'},
  ];
  const below = command.commands.flatMap((one) => levelsOf(one, `${words} ${one.name()}`.trim()));
  return [...below, {words, next}];
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (levels: readonly Level[]) => string>> = {
  bash: (levels) =>
    [
      '_epsball() {',
      '  local line=" ${COMP_WORDS[*]:1:COMP_CWORD-1} " word="${COMP_WORDS[COMP_CWORD]}" next',
      '  case "$line" in',
      ...valuesOf(levels).map(
        ({pattern, values}) => `    ${pattern}) COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$word")); return ;;`,
      ),
      ...levels.map(({words, next}) => `    ${patternOf(words)}) next="${next.map(({word}) => word).join(' ')}" ;;`),
      '  esac',
      '  COMPREPLY=($(compgen -W "$next" -- "$word"))',
      '  [[ "$word" == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))',
      '}',
      'complete -o filenames -F _epsball epsball',
      '',
    ].join('\n'),
  zsh: (levels) =>
    [
      '#compdef epsball',
      '_epsball() {',
      '  local line=" ${words[2,CURRENT-1]} "',
      '  local -a next',
      '  case "$line" in',
      ...valuesOf(levels).map(({pattern, values}) => `    ${pattern}) compadd -- ${values.join(' ')}; return ;;`),
      ...levels.map(
        ({words, next}) =>
          `    ${patternOf(words)}) next=(${next.map(({word, what}) => quote(`${word}:${oneLine(what)}`)).join(' ')}) ;;`,
      ),
      '  esac',
      "  _describe 'epsball' next",
      '  _files',
      '}',
      'if [ "$funcstack[1]" = "_epsball" ]; then _epsball "$@"; else compdef _epsball epsball; fi',
      '',
    ].join('\n'),
  fish: (levels) =>
    levels
      .flatMap(({words, next}) => next.map((one) => fishLine(words, one, levels)))
      .map((line) => `complete -c epsball ${line}\n`)
      .join(''),
};

/** Options that take one of a few words: patterns of `case`, and the words. */
function valuesOf(levels: readonly Level[]): {readonly pattern: string; readonly values: readonly string[]}[] {
  return levels.flatMap(({words, next}) =>
    next.flatMap(({word, values}) => (values === undefined ? [] : [{pattern: `" ${words}"*" ${word} "`, values}])),
  );
}

function fishLine(words: string, {word, what, values}: Word, levels: readonly Level[]): string {
  const above = words.split(' ').filter(Boolean);
  const commands = levels.flatMap((level) => (level.words === '' || level.words.includes(' ') ? [] : [level.words]));
  const seen = above.map((one) => `__fish_seen_subcommand_from ${one}`).join('; and ');
  const condition = seen === '' ? `not __fish_seen_subcommand_from ${commands.join(' ')}` : seen;
  const kind = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  const takes = values === undefined ? '' : ` -x -a ${quote(values.join(' '))}`;
  return `-n ${quote(condition)} ${kind}${takes} -d ${quote(oneLine(what))}`;
}

/** A pattern of `case`: the words at the begin of the line. */
function patternOf(words: string): string {
  return words === '' ? '*' : `" ${words} "*`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
