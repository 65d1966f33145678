import type {Command} from 'commander';
import {styleText} from 'node:util';

/**
 * Whether output has colours: `--color` and `--no-color` decide, then `NO_COLOR` and `FORCE_COLOR`, then whether the
 * stream is a terminal.
 */
export function hasColors(stream: NodeJS.WriteStream = process.stdout): boolean {
  const {NO_COLOR = '', FORCE_COLOR = ''} = process.env;
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return stream.isTTY && process.env['TERM'] !== 'dumb';
}

/** A head of a table or of a help, in bold where there are colours. */
export function bold(text: string): string {
  return hasColors() ? styleText('bold', text, {validateStream: false}) : text;
}

/** Colours the help of all commands, and lets `--color` and `--no-color` stand before or behind a command's name. */
export function colorHelp(program: Command): void {
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({commands}) => commands)]) {
    command.configureHelp({
      styleTitle: (text) => styleText('bold', text, {validateStream: false}),
      styleCommandText: (text) => styleText('cyan', text, {validateStream: false}),
      styleSubcommandText: (text) => styleText('cyan', text, {validateStream: false}),
      styleOptionText: (text) => styleText('cyan', text, {validateStream: false}),
    });
    command.configureOutput({getOutHasColors: () => hasColors(), getErrHasColors: () => hasColors(process.stderr)});
  }
}

/** The arguments without `--color` and `--no-color`, which hold for every command; the last one decides. */
export function takeColorFlags(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const isFlag = (word: string, k: number): boolean => k < end && (word === '--color' || word === '--no-color');
  const last = args.filter(isFlag).at(-1);
  if (last !== undefined) {
    delete process.env['NO_COLOR'];
    process.env['FORCE_COLOR'] = last === '--color' ? '1' : '0';
  }
  return args.filter((word, k) => !isFlag(word, k));
}
