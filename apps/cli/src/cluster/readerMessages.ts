import type {DatasetFormatError, ReadPointsOptions} from '@epsball/datasets';
import {extname} from 'node:path';
import {shellWord} from '../text.ts';

/** Names standard input in errors. */
const STREAM = 'standard input';

/** Ends of the loaders' messages, and the same with our flags. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/\bdim = (\d+)$/, '--dim $1'],
  [/\ba given dim$/, '--dim'],
  [/\bchosen by columns(?= 0,1 or 1,0$|$)/, 'chosen by --columns'],
  [/\bor another delimiter$/, 'or another --delimiter'],
  [/\bthe option decimal = ","$/, '--decimal ,'],
  [/( is compressed with \w+; expected .*)$/, '$1; or --sql, which reads every codec'],
  [
    /; expected text, numbers, BOOLEAN, DATE, TIMESTAMP or DECIMAL of \d+ digits$/,
    '$&; or --sql, which reads every type',
  ],
  [/; expected a name, one of: ([^:]*)$/, '; expected --dataset with one of: $1'],
];

/** Ends of messages with columns to choose, and the choices. */
const CHOICES = /\bchosen by columns (.+)$/;

/** Ends of messages about a column that cannot be a coordinate. */
const NO_NUMBERS = /(?:expected a finite number|expected FLOAT, DOUBLE, INT32 or INT64|Int, Uint, Float or Decimal)$/;

/** Messages about a table without numbers, and names of columns that may hold points. */
const NO_COLUMNS = /^has the columns (.*); expected columns of numbers\b/;
const OF_POINTS = /^(?:(?:the_)?geom(?:etry)?|shape|wk[bt])$/i;

/** Messages about a value that a row lacks. */
export const LACKS: RegExp =
  /= (?:"\s*(?:nan|na|null)?\s*"|null|undefined|NaN);|(?:coordinate|latitude|longitude) (?:= )?(?:NaN|null)\b|zero vector|^point \d+ is null;/i;

export const MISSING_ADVICE = '; --missing noise or --missing drop takes such rows';

/** What turns a file into CSV on standard output, by its extension. */
const TO_CSV: Readonly<Record<string, string>> = {
  '.zip': 'unzip -p',
  '.bz2': 'bzip2 -dc',
  '.xz': 'xz -dc',
  '.zst': 'zstd -dc',
  '.lz4': 'lz4 -dc',
  '.wkt': String.raw`sed -nE 's/^ *POINT *[ZM]* *\(([^ ]+) ([^ )]+).*/\1,\2/p'`,
  '.ply': "sed '1,/^end_header/d'",
  '.pcd': "sed '1,/^DATA/d'",
  '.arff': "sed '1,/^@[dD][aA][tT][aA]/d'",
};

/** Formats of maps, which GDAL converts. */
const OF_MAPS = new Set(['.fgb', '.gml', '.gpkg', '.gpx', '.kml', '.shp', '.tab']);

/** The reason of an error in the words of our flags, with what to type. */
export function inFlags(
  {path, reason: given, line}: Pick<DatasetFormatError, 'path' | 'reason' | 'line'>,
  {columns, missing}: Pick<ReadPointsOptions, 'columns' | 'missing'>,
): string {
  let reason = given;
  for (const [ending, inOurs] of ENDINGS) reason = reason.replace(ending, inOurs);
  reason = reason.replace(CHOICES, (_, choices: string) => {
    return `chosen by --columns ${choices.replaceAll(' or ', ' or --columns ')}`;
  });
  const file = shellWord(path);
  const points = NO_COLUMNS.exec(reason)?.[1]
    .split(', ')
    .find((name) => OF_POINTS.test(name));
  if (points !== undefined && path !== STREAM) {
    const value = /\.parquet$/i.test(path) ? `ST_GeomFromWKB(${points})` : `${points}::GEOMETRY`;
    return `${reason}; or points of a query: --sql "SELECT ${value} AS place FROM '${path}'"`;
  }
  if (reason.endsWith('and no line of units')) {
    return path === STREAM ? reason : `${reason}: sed ${line}d ${file} | epsball cluster -`;
  }
  if (LACKS.test(reason) && missing === undefined) return reason + MISSING_ADVICE;
  if (!Array.isArray(columns) && NO_NUMBERS.test(reason)) {
    // Without a header the reader says `column 0`.
    const what = /^column \d+ = /.test(reason)
      ? 'positions of the coordinates, such as 0,1'
      : 'names of the coordinates';
    return `${reason}, or --columns with the ${what}`;
  }
  if (/^has (?:the unknown|no) extension\b/.test(reason)) {
    const extension = extname(path).toLowerCase();
    if (OF_MAPS.has(extension)) return `${reason}; GDAL converts it: ogr2ogr points.geojson ${file}`;
    return `${reason}; CSV is read from standard input: ${TO_CSV[extension] ?? 'cat'} ${file} | epsball cluster -`;
  }
  return reason.startsWith('is UTF-16 text')
    ? `${reason}: iconv -f UTF-16 -t UTF-8 ${file} | epsball cluster -`
    : reason;
}
