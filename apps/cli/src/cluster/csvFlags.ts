import type {Command} from 'commander';
import {oneOf} from '../options.ts';

/** Characters that a shell or a table of options hardly shows, by name. */
const NAMED: Readonly<Record<string, string>> = {tab: '\t', '\\t': '\t', space: ' '};

/** How the cells and numbers of a text file are written. */
export interface CsvFlags {
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
}

/** Adds the flags of text files to a command that reads points. */
export function addCsvFlags(command: Command): void {
  command
    .option(
      '--delimiter <C>',
      'character between the cells of CSV, such as ";"; tab; space for any white space. Default: found',
      (text: string) => NAMED[text] ?? text,
    )
    .option('--decimal <C>', 'decimal mark of CSV: . or ,', oneOf('--decimal', ['.', ','] as const));
}

/** The flags alone, as readers take them. */
export function csvFormatOf({delimiter, decimal}: CsvFlags): CsvFlags {
  return {...(delimiter === undefined ? {} : {delimiter}), ...(decimal === undefined ? {} : {decimal})};
}
