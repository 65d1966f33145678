import Papa from 'papaparse';
import {chooseAxes, FileError, type FilePoints} from './table.ts';

/**
 * Reads rows of numbers. The first row may have names. Rows without any value are skipped.
 *
 * @param chosen  names of the columns to read. Default: well-known names such as x, y or lon, lat, else all columns of
 *                numbers
 * @throws FileError  if a row lacks a number, with the row
 */
export async function readCsvFile(file: File, chosen?: readonly string[]): Promise<FilePoints> {
  const table = new Table(file.name, chosen);
  Papa.parse<string[]>(await file.text(), {
    skipEmptyLines: 'greedy',
    comments: '#',
    step: ({data: fields}) => table.add(fields),
  });
  return table.points();
}

/** The rows read so far. */
class Table {
  readonly #file: string;
  readonly #chosen: readonly string[] | undefined;
  #row = 0;
  #header: readonly string[] | undefined;
  #columns: readonly string[] = [];
  #available: readonly string[] = [];
  /** Numbers of the columns that are axes. */
  #axes: readonly number[] = [];
  #coords = new Float64Array(4096);
  #length = 0;

  constructor(file: string, chosen: readonly string[] | undefined) {
    this.#file = file;
    this.#chosen = chosen;
  }

  add(fields: readonly string[]): void {
    this.#row++;
    if (this.#row === 1 && !fields.some(isNumber)) {
      this.#header = fields.map((name) => name.trim());
      return;
    }
    if (this.#axes.length === 0) this.#start(fields);
    this.#axes.forEach((column, axis) => {
      const text = fields[column];
      if (!isNumber(text)) {
        const shown = text?.slice(0, 40) || 'nothing';
        throw new FileError(this.#file, `row ${this.#row}: ${this.#columns[axis]} = ${shown}; expected a number`);
      }
      if (this.#length === this.#coords.length) this.#grow();
      this.#coords[this.#length++] = Number(text);
    });
  }

  /** The points; in float32 if that holds every value. */
  points(): FilePoints {
    if (this.#length === 0) throw new FileError(this.#file, 'has no rows of numbers; expected points');
    const exact = this.#coords.slice(0, this.#length);
    const narrow = Float32Array.from(exact);
    const fits = narrow.every((value, k) => value === exact[k]);
    return {
      coords: fits ? narrow : exact,
      dim: this.#columns.length,
      columns: this.#columns,
      available: this.#available,
    };
  }

  /** Chooses the axes by the first row of values. */
  #start(fields: readonly string[]): void {
    const names = this.#header ?? fields.map((_, k) => `column ${k + 1}`);
    this.#available = names.filter((_, k) => isNumber(fields[k]));
    this.#columns = chooseAxes(this.#file, this.#available, this.#chosen);
    this.#axes = this.#columns.map((name) => names.indexOf(name));
  }

  #grow(): void {
    const larger = new Float64Array(2 * this.#coords.length);
    larger.set(this.#coords);
    this.#coords = larger;
  }
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '' && Number.isFinite(Number(text));
}
