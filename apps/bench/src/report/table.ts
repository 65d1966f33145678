/** A table that HTML and Markdown both print. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly TableCell[])[];
}

/** A table under a heading. */
export interface TitledTable {
  readonly title: string;
  readonly table: Table;
}

export interface Column {
  readonly title: string;
  readonly isNumber: boolean;
}

export interface TableCell {
  readonly text: string;
  /** A second, smaller line. */
  readonly note?: string;
  /** `bad`: a failure or a broken limit; `faint`: left out, or nothing to say; `document`: not our number. */
  readonly tone: 'plain' | 'bad' | 'faint' | 'document';
  /** 0…1: a bar under the number, as a share of the limit. */
  readonly share?: number;
}

export function textColumn(title: string): Column {
  return {title, isNumber: false};
}

export function numberColumn(title: string): Column {
  return {title, isNumber: true};
}

export function plain(text: string, note?: string): TableCell {
  return note === undefined ? {text, tone: 'plain'} : {text, note, tone: 'plain'};
}

export function faint(text: string): TableCell {
  return {text, tone: 'faint'};
}

export function bad(text: string): TableCell {
  return {text, tone: 'bad'};
}

export function fromDocument(text: string): TableCell {
  return {text, tone: 'document'};
}
