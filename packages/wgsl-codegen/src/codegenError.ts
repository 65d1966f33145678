/** An error in a kernel. The message starts with `file:line`, which terminals show as a link. */
export class CodegenError extends Error {
  readonly code = 'CODEGEN';

  constructor(file: string, line: number, what: string, options?: ErrorOptions) {
    super(`${file}:${line}: ${what}`, options);
    this.name = 'CodegenError';
  }
}

export interface Place {
  readonly file: string;
  readonly line: number;
}

/** 1-based line of the character at `offset`. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
