import {DatasetFormatError} from '@epsball/datasets';
import {sqlName, sqlText, type Database} from './database.ts';

/** Types of cells that are numbers in the file: days since this date. */
const TIME = /^(?:DATE|TIME|TIMESTAMP)$/;
const FIRST_DAY = "TIMESTAMP '1899-12-30'";

/**
 * The query for the rows of a sheet that are not blank. DuckDB takes the type of a column from its first cell, a number
 * if that is empty, refuses the file for any cell of another type, and ends at a blank row. So cells are read as text:
 * a column that begins empty has numbers if all its cells have, and others are converted where they are read.
 *
 * @param file    the path as a literal of SQL
 * @param sheet   Default: the first one
 * @param besides columns beside the points, which are text unless all cells are numbers
 * @throws DatasetFormatError  if the sheet has rows of text alone
 */
export async function sheetQuery(
  {what, rows}: Database,
  file: string,
  sheet: string | undefined,
  besides: readonly string[],
): Promise<string> {
  const options = `${file}, ${sheet === undefined ? '' : `sheet := ${sqlText(sheet)}, `}stop_at_empty := false`;
  const columns = (await rows(`DESCRIBE FROM read_xlsx(${options})`)).map(([name, type]) => {
    return {name: String(name), type: String(type), cell: `nullif(trim(${sqlName(String(name))}), '')`};
  });
  const source = `read_xlsx(${options}, all_varchar := true)`;
  const tests = columns.map(({name, cell}) => {
    const areNumbers = `bool_and(TRY_CAST(${cell} AS DOUBLE) IS NOT NULL) FILTER (${cell} IS NOT NULL)`;
    const hasFirst = besides.includes(name) ? '' : `first(${cell}) IS NOT NULL OR `;
    return `${hasFirst}coalesce(${areNumbers}, count(*) = 0)`;
  });
  const [hasType] = await rows(`SELECT ${tests.join(', ')} FROM ${source}`);
  const isText = columns.map(({type}, k) => type === 'VARCHAR' || hasType[k] !== true);
  if (isText.every(Boolean)) {
    const first = columns.map(({name}) => name).join(', ');
    const other = `another sheet by --dataset, or a part of it: --sql "FROM read_xlsx(${file}, range = 'A3:C90')"`;
    throw new DatasetFormatError(what, `has the first row ${first}, and no numbers below; expected numbers, ${other}`);
  }
  const values = columns.map(
    (column, k) => `${isText[k] ? column.cell : typedCell(column)} AS ${sqlName(column.name)}`,
  );
  const isBlank = columns.map(({cell}) => `${cell} IS NULL`).join(' AND ');
  return `SELECT ${values.join(', ')} FROM ${source} WHERE NOT (${isBlank})`;
}

/** The value of a cell, or an error if it has another type. */
function typedCell({name, type, cell}: {readonly name: string; readonly type: string; readonly cell: string}): string {
  const isTime = TIME.test(type);
  const number = `TRY_CAST(${cell} AS ${isTime ? 'DOUBLE' : type})`;
  const milliseconds = `to_milliseconds(CAST(round(86400000 * ${number}) AS BIGINT))`;
  const value = isTime ? `CAST(${FIRST_DAY} + ${milliseconds} AS ${type})` : number;
  const expected = type === 'DOUBLE' ? 'a finite number' : `${type}, as in the first row`;
  const refusal = `error(concat(${sqlText(`column ${name} has the cell `)}, ${cell}, '; expected ${expected}'))`;
  return `CASE WHEN ${cell} IS NOT NULL AND ${number} IS NULL THEN ${refusal} ELSE ${value} END`;
}
