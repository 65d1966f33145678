/** What a cell of the table may hold. */
export type CsvValue = string | number | boolean | null;

/** A row: values by the name of their column. */
export type CsvRow = readonly (readonly [name: string, value: CsvValue])[];
